// Objects on a disk that is full, and uploads that a killed process left.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import {
  FileStorageAdapter,
  removeUnfinished,
  servedFromDisk,
} from "../../supabase/local/gateway/file-storage-adapter.ts";
import { sweepUnrecorded } from "../../supabase/local/gateway/unrecorded-bytes.ts";
import { eventually } from "../support/eventually.ts";

const dir = mkdtempSync(join(tmpdir(), "parley-adapter-"));
const noRecord = async () => false;
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it("a full disk has its own error, and keeps the old object", async () => {
  const adapter = new FileStorageAdapter(join(dir, "full"), noRecord);
  await adapter.uploadObject("b", "k", undefined, Buffer.from("old"), "text/plain", "no-cache");
  const full = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(Object.assign(new Error("no space"), { code: "ENOSPC" })),
  });
  const { code } = await servedFromDisk(() =>
    adapter.uploadObject("b", "k", undefined, full, "text/plain", "no-cache").catch(() => undefined),
  );
  expect(code).toBe("ENOSPC");
  const { body } = await adapter.getObject("b", "k");
  expect(await new Response(body as BodyInit).text()).toBe("old");
});

it("a disk keeps no upload that a killed process did not finish", async () => {
  const place = join(dir, "killed");
  const adapter = new FileStorageAdapter(place, noRecord);
  await adapter.uploadObject("b", "whole", undefined, Buffer.from("x"), "text/plain", "no-cache");
  let noteHalf = () => {};
  const half = new Promise<void>((resolve) => {
    noteHalf = resolve;
  });
  let cut = (_error: Error) => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      cut = (error) => controller.error(error);
      controller.enqueue(Buffer.from("the first part"));
    },
    pull: () => noteHalf(),
  });
  const upload = adapter.uploadObject("b", "cut", undefined, body, "text/plain", "no-cache");
  await half;
  const files = () =>
    readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  await eventually(() => expect(files()).toHaveLength(2));
  await removeUnfinished(place);
  expect(files()).toHaveLength(1);
  expect((await adapter.headObject("b", "whole")).size).toBe(1);
  cut(new Error("gone"));
  await expect(upload).rejects.toThrow("gone");
  await removeUnfinished(join(place, "nowhere"));
});

it("an object that is just being stored is not set aside as one without a record", async () => {
  const place = join(dir, "swept");
  const adapter = new FileStorageAdapter(place, noRecord);
  let isRecorded = false;
  let record = () => {};
  let noteStored = () => {};
  const isStored = new Promise<void>((resolve) => {
    noteStored = resolve;
  });
  const request = servedFromDisk(async () => {
    await adapter.uploadObject("files", "teams/t/k", undefined, Buffer.from("x"), "text/plain", "no-cache");
    noteStored();
    await new Promise<void>((resolve) => {
      record = resolve;
    });
    isRecorded = true;
  });
  await isStored;
  let asked = 0;
  const findUnrecorded = async () => {
    asked += 1;
    return isRecorded ? [] : [{ path: "teams/t/k" }];
  };
  // Of the driver, the sweep calls only its tag.
  const sql = findUnrecorded as unknown as Parameters<typeof sweepUnrecorded>[1];
  const sweep = sweepUnrecorded(place, sql, Date.now() + 2 * 86_400_000);
  await eventually(() => expect(asked).toBeGreaterThan(0));
  record();
  await request;
  expect(await sweep).toEqual({ setAside: 0, putBack: 0, deleted: 0 });
  expect((await adapter.headObject("files", "teams/t/k")).size).toBe(1);
});
