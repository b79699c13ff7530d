// Imports rows that a test has staged itself, as the task does once the archive is read.
import { asService, type Transaction } from "../../edge-functions/_shared/database/db.ts";
import { applyImport } from "../../edge-functions/importing/applying.ts";
import { hiddenKinds, makeHiddenRoots, writeHidden } from "../../edge-functions/importing/hidden-rows.ts";
import type { Report } from "../../edge-functions/importing/report.ts";

type Run = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** @param run runs each of the import's transactions */
export async function importStaged(
  of: { teamId: string; userId: string },
  run: Run = asService,
): Promise<Report> {
  await run((tx) => makeHiddenRoots(tx, of.teamId));
  for (const kind of hiddenKinds)
    await writeHidden({ ...of, write: run }, kind, { read: run, endSlice: () => {} });
  return await run((tx) => applyImport(tx, of));
}
