// A team's storage limit: what is refused before any bytes are sent, and how a task sees the refusal.
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { TeamId, Transaction } from "../../edge-functions/_shared/database/db.ts";
import { stubSettings } from "../support/function-settings.ts";
import { answer, asService, reset } from "../support/scripted-database.ts";

vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));

let queries: typeof import("../../edge-functions/v1/files/storage-queries.ts");
let step: typeof import("../../edge-functions/indexing/steps/storage.ts");
let storage: typeof import("../../edge-functions/_shared/storage/storage.ts");
beforeAll(async () => {
  stubSettings();
  queries = await import("../../edge-functions/v1/files/storage-queries.ts");
  step = await import("../../edge-functions/indexing/steps/storage.ts");
  storage = await import("../../edge-functions/_shared/storage/storage.ts");
});
beforeEach(reset);

const team = "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42";
const id = "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b43";
const inTransaction = <T>(work: (tx: Transaction) => T) =>
  // The queries use nothing else of a transaction.
  asService((tx) => work(tx as unknown as Transaction));
const mib = 2 ** 20;

describe("a new file", () => {
  /** The file's place, or the refusal's code. */
  const place = (use: { used: number; limit: number | null }, bytes?: number) => {
    answer([{ id, ...use }]);
    const headers = new Headers(bytes === undefined ? {} : { "Content-Length": String(bytes) });
    const request = new Request("http://x.test", { method: "POST", headers });
    return inTransaction((tx) => queries.newPlace(tx, team, request));
  };
  const refused = { code: "STORAGE_REACHED" };

  test("gets its id and a key below its team where there is no limit", async () => {
    expect(await place({ used: 9e15, limit: null }, 9e15)).toEqual({
      id,
      teamId: team,
      key: storage.newObjectKey(team, id),
    });
  });

  test("is refused when its request cannot fit, whatever is around the file in it", async () => {
    const around = storage.maxUploadBytes - storage.maxFileBytes;
    await expect(place({ used: mib, limit: 3 * mib }, 2 * mib + around)).resolves.toMatchObject({ id });
    await expect(place({ used: mib, limit: 3 * mib }, 2 * mib + around + 1)).rejects.toMatchObject(refused);
  });

  test("of unknown size needs room for one byte", async () => {
    await expect(place({ used: mib - 1, limit: mib })).resolves.toMatchObject({ id });
    await expect(place({ used: mib, limit: mib })).rejects.toMatchObject(refused);
    await expect(place({ used: mib, limit: mib }, Number.NaN)).rejects.toMatchObject(refused);
  });

  test("is refused with what the team stores and may store, in MiB", async () => {
    const message = /\b7\b.*\b6\b/;
    await expect(place({ used: 7.9 * mib, limit: 6 * mib })).rejects.toMatchObject({
      message: expect.stringMatching(message),
    });
  });

  test("gets a signed URL while anything fits", async () => {
    const sign = (use: { used: number; limit: number | null }) => {
      answer([{ id, ...use }]);
      return inTransaction((tx) => queries.signPlace(tx, team));
    };
    for (const use of [
      { used: mib, limit: null },
      { used: mib - 1, limit: mib },
    ])
      expect(await sign(use)).toBe(storage.newObjectKey(team, id));
    await expect(sign({ used: mib, limit: mib })).rejects.toMatchObject(refused);
  });

  test("has no place in a team that the caller cannot see", async () => {
    const gone = { code: "NOT_FOUND" };
    const request = new Request("http://x.test", { method: "POST" });
    await expect(inTransaction((tx) => queries.newPlace(tx, team, request))).rejects.toMatchObject(gone);
    await expect(inTransaction((tx) => queries.signPlace(tx, team))).rejects.toMatchObject(gone);
    // Postgres makes ids of teams from what it admitted.
    const read = inTransaction((tx) => queries.readStorage(tx, team as TeamId));
    await expect(read).rejects.toMatchObject(gone);
  });
});

describe("a task", () => {
  const fail = (code: string, detail?: string) => Object.assign(new Error("refused"), { code, detail });

  test("whose team may not store more tells what it stores and may store", () => {
    const refusal = fail("PT402", JSON.stringify({ used: 7 * mib, limit: 6 * mib }));
    expect(step.refusingStorage(refusal)).toEqual({ used: 7 * mib, limit: 6 * mib });
    expect(step.storageSentence(refusal)).toMatch(/\b7\b.*\b6\b/);
  });

  test.each([fail("23514"), fail("08006"), new Error("PT402"), "PT402", undefined])(
    "that fails with %s is not told of storage",
    (error) => {
      expect(step.refusingStorage(error)).toBeUndefined();
      expect(step.storageSentence(error)).toBeUndefined();
    },
  );
});
