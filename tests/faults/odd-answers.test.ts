// A service that breaks HTTP's rules in the head of its answer: the call fails, and the process that made it goes on.
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { denoArgs, denoPath } from "../support/deno-function.ts";
import { stubSettings } from "../support/function-settings.ts";

const script = fileURLToPath(new URL("../support/odd-answers.deno.mjs", import.meta.url));

afterEach(() => void vi.unstubAllEnvs());

async function endings(head: string): Promise<string[]> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.write(`${head}\r\n\r\nhi`));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the service has no port");
  const place = `127.0.0.1:${address.port}`;
  stubSettings({ PARLEY_OUTBOUND_ALLOW: place });
  const { stdout } = await promisify(execFile)(denoPath(), [...denoArgs, script, `http://${place}`], {
    timeout: 20_000,
  });
  return stdout.trim().split("\n");
}

it.each(["000", "099", "600", "999"])("fails at the status %s, which HTTP does not have", async (status) => {
  const [sent, fetched] = await endings(`HTTP/1.1 ${status} Odd\r\ncontent-length: 2`);
  expect(sent).toBe(`answer ${Number(status)}`);
  expect(fetched).toBe(`the service answered with the status ${Number(status)}`);
});

it.each([
  ["with its headers", "HTTP/1.1 101 Odd\r\nupgrade: odd\r\nconnection: upgrade"],
  ["without its headers", "HTTP/1.1 101 Odd"],
])("fails at a change of protocol that nobody asked for, %s", async (_how, head) => {
  expect(await endings(head)).toEqual(["unreachable", expect.stringMatching(/101/)]);
});
