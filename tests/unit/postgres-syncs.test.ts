// When the embedded Postgres's files reach the disk: the log before whatever depends on it, and before an answer.
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";

const synced: number[] = [];
vi.mock("node:fs", async (actual) => ({
  ...(await actual<typeof import("node:fs")>()),
  fdatasyncSync: (descriptor: number) => void synced.push(descriptor),
}));
const { DiskOrder } = await import("../../supabase/local/postgres/disk-order.ts");
const { GroupSync } = await import("../../supabase/local/postgres/group-sync.ts");

const folder = mkdtempSync(join(tmpdir(), "parley-syncs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  synced.length = 0;
});

describe("the engine's files", () => {
  const log = { path: "/pgdata/pg_wal/000000010000000000000001", nfd: 11 };
  const nextLog = { path: "/pgdata/pg_wal/000000010000000000000002", nfd: 12 };
  const table = { path: "/pgdata/base/5/16384", nfd: 13 };

  function governFiles() {
    const done: string[] = [];
    const note = (name: string) => () => void done.push(`${name} after ${synced.join()}`);
    const files = {
      stream_ops: { write: note("write"), close: note("close") } as Record<
        string,
        (...values: unknown[]) => unknown
      >,
      node_ops: Object.fromEntries(
        ["setattr", "rename", "unlink", "rmdir"].map((name) => [name, note(name)]),
      ) as Record<string, (...values: unknown[]) => unknown>,
    };
    const order = new DiskOrder();
    order.govern(files);
    return { order, done, ...files };
  }

  it("are synced at once, but for the log, whose sync the next answer asks for", () => {
    const { order, stream_ops } = governFiles();
    stream_ops.fsync?.(table);
    expect([order.take(), synced]).toEqual([null, [13]]);
    stream_ops.fsync?.(log);
    stream_ops.fsync?.({ path: "/pgdata/pg_wal" });
    expect([order.take(), order.take(), synced]).toEqual([11, null, [13]]);
  });

  it.each([
    ["a page is written", "write", table],
    ["the log's file is closed", "close", log],
  ])("change only behind the log: %s", (_what, name, file) => {
    const { stream_ops, done, order } = governFiles();
    stream_ops.fsync?.(log);
    stream_ops[name]?.(file);
    expect([done, order.take()]).toEqual([[`${name} after 11`], null]);
    stream_ops[name]?.(file);
    expect(synced).toEqual([11]);
  });

  it("change only behind the log: lengths and names", () => {
    for (const name of ["setattr", "rename", "unlink", "rmdir"]) {
      synced.length = 0;
      const { stream_ops, node_ops, done, order } = governFiles();
      stream_ops.fsync?.(log);
      // The log of an answer that was sent may still wait for its sync.
      order.take();
      node_ops[name]?.({});
      expect(done).toEqual([`${name} after 11`]);
    }
  });

  it("leave the log alone that is written on", () => {
    const { stream_ops, done } = governFiles();
    stream_ops.fsync?.(log);
    stream_ops.write?.(log);
    expect([done, synced]).toEqual([["write after "], []]);
    stream_ops.fsync?.(nextLog);
    stream_ops.fsync?.(table);
    expect(synced).toEqual([11, 12, 13]);
  });
});

describe("a sync for answers", () => {
  const ends: ((error: Error | null) => void)[] = [];
  const asked: number[] = [];
  const group = () =>
    new GroupSync((descriptor, done) => {
      asked.push(descriptor);
      ends.push(done);
    });
  beforeEach(() => {
    ends.length = 0;
    asked.length = 0;
  });

  it("is one for all that ask while another runs, and covers what they wrote", async () => {
    const syncs = group();
    const order: string[] = [];
    const answer = (name: string) => void syncs.pending?.then(() => order.push(name));
    syncs.ask(1);
    answer("first");
    syncs.ask(1);
    answer("second");
    syncs.ask(2);
    answer("third");
    expect(asked).toEqual([1]);
    ends[0]?.(null);
    await vi.waitFor(() => expect(asked).toEqual([1, 2]));
    expect(order).toEqual(["first"]);
    ends[1]?.(null);
    await vi.waitFor(() => expect(order).toEqual(["first", "second", "third"]));
    expect(syncs.pending).toBeNull();
  });

  it("fails for those who wait when the disk fails, and passes when the file was closed", async () => {
    const syncs = group();
    syncs.ask(1);
    const failed = expect(syncs.pending).rejects.toThrow("EIO");
    ends[0]?.(Object.assign(new Error("EIO"), { code: "EIO" }));
    await failed;
    syncs.ask(1);
    const passed = syncs.pending;
    ends[1]?.(Object.assign(new Error("EBADF"), { code: "EBADF" }));
    await passed;
    const real = new GroupSync();
    const descriptor = openSync(join(folder, "log"), "w");
    real.ask(descriptor);
    await real.pending;
    closeSync(descriptor);
  });
});
