// An upload's body of very many parts: its refusal does not read them all.
import { expect, test } from "vitest";
import { measureUpload } from "../../edge-functions/v1/files/upload.ts";

const part = '--x\r\ncontent-disposition: form-data; name="f"\r\n\r\n1\r\n';

test.each([
  ["fields", part, /alone/],
  ["files", part.replace('"f"', '"file"; filename="a.txt"'), /one file at a time/],
])("a body of very many %s is refused after a few of them", async (_name, one, words) => {
  const chunk = new TextEncoder().encode(one.repeat(1_000));
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      if (sent > 400) controller.close();
      else controller.enqueue(chunk);
    },
  });
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  await expect(measureUpload(new Request("http://localhost/upload", init))).rejects.toThrow(words);
  expect(sent).toBeLessThan(20);
});
