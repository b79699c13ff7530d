// Every table of an export is imported, or left out with a reason: a team that moves loses nothing without a notice.
import { expect, test } from "vitest";
import type { Transaction } from "../../edge-functions/_shared/database/db.ts";
import { tableNames } from "../../edge-functions/importing/rows.ts";
import { readTables } from "../../edge-functions/v1/teams/export.ts";
import { startTestPostgres } from "../support/postgres.ts";
import { asCaller } from "./acting.ts";

/** Tables of an export that an import leaves out, and why. */
const notImported: Record<string, string> = {
  document_indexes: "Indexing creates them from the documents.",
  reply_passages: "They name passages, which indexing creates anew.",
  task_attempts: "They tell of work on the former installation.",
  tasks: "They tell of work on the former installation.",
};

test("each exported table is imported, or left out with a reason", async () => {
  const database = await startTestPostgres();
  try {
    const sql = database.connect("postgres", { max: 1 });
    // Both are transactions of the same package.
    const read = (tx: unknown) => readTables(tx as Transaction);
    const exported = (await asCaller(sql, { role: "authenticated" }, read)).map(({ name }) => name);
    const known = [...tableNames, ...Object.keys(notImported)];
    const advice =
      "edge-functions/importing/ has a shape in rows.ts and an insertion in applying.ts, or this file a reason";
    expect(exported.toSorted(), advice).toEqual(known.toSorted());
  } finally {
    await database.stop();
  }
});
