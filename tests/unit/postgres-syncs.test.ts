// When the embedded Postgres's files reach the disk: the log before whatever depends on it, and before an answer.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  const logFolder = { path: "/pgdata/pg_wal", nfd: 14 };

  function governFiles() {
    const done: string[] = [];
    const note = (name: string) => () => void done.push(`${name} after ${synced.join()}`);
    const files = {
      stream_ops: Object.fromEntries(
        ["write", "setattr", "close"].map((name) => [name, note(name)]),
      ) as Record<string, (...values: unknown[]) => unknown>,
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
    expect([order.take(), order.take(), synced]).toEqual(["000000010000000000000001", null, [13]]);
  });

  it("are synced by name, too: a folder after its log", () => {
    const { stream_ops } = governFiles();
    stream_ops.fsync?.(log);
    stream_ops.fsync?.(logFolder);
    expect(synced).toEqual([11, 14]);
  });

  it.each([
    ["a page is written", "write", table],
    ["an open table is shortened", "setattr", table],
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
  const ends: ((error?: Error) => void)[] = [];
  const asked: string[] = [];
  const group = () =>
    new GroupSync(folder, async (path) => ({
      datasync: () =>
        new Promise((resolve, reject) => {
          asked.push(path.slice(-1));
          ends.push((error) => (error ? reject(error) : resolve()));
        }),
      close: async () => {},
    }));
  beforeEach(() => {
    ends.length = 0;
    asked.length = 0;
  });

  it("is one for all that ask while another runs, and covers what they wrote", async () => {
    const syncs = group();
    const order: string[] = [];
    const answer = (name: string) => void syncs.pending?.then(() => order.push(name));
    syncs.ask("1");
    answer("first");
    syncs.ask("1");
    answer("second");
    syncs.ask("2");
    answer("third");
    await expect.poll(() => asked).toEqual(["1"]);
    ends[0]?.();
    await expect.poll(() => asked).toEqual(["1", "2"]);
    expect(order).toEqual(["first"]);
    ends[1]?.();
    await expect.poll(() => order).toEqual(["first", "second", "third"]);
    expect(syncs.pending).toBeNull();
  });

  it("fails for all that wait and that ask later, as the kernel reports lost bytes once", async () => {
    const syncs = group();
    syncs.ask("1");
    const first = expect(syncs.pending).rejects.toThrow("EIO");
    syncs.ask("1");
    const second = expect(syncs.pending).rejects.toThrow("EIO");
    await expect.poll(() => ends).toHaveLength(1);
    ends[0]?.(new Error("EIO"));
    await Promise.all([first, second]);
    syncs.ask("1");
    await expect(syncs.pending).rejects.toThrow("EIO");
    expect(asked).toEqual(["1"]);
    await syncs.close();
  });

  it("passes when the engine has removed the file, which it syncs before", async () => {
    mkdirSync(join(folder, "pg_wal"));
    writeFileSync(join(folder, "pg_wal", "1"), "");
    const real = new GroupSync(folder);
    for (const name of ["1", "2", "1"]) {
      real.ask(name);
      await real.pending;
    }
    await real.close();
  });
});
