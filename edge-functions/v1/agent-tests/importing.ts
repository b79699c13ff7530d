// Owns importing tests from a CSV file: documents are looked up by title, rows are inserted one at a time as the caller, and rejected
// rows are reported.
import type { Transaction } from "../../_shared/database/db.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { readCsv, refusedRow } from "./csv.ts";
import { addTest, documentsByTitle } from "./queries.ts";
import type { RefusedRow } from "./schema.ts";

const mostTests = 500;

/** Inserts the valid rows. A rejected row does not affect the others. */
export async function importTests(
  tx: Transaction,
  place: { teamId: string; agentId: string },
  csv: string,
): Promise<{ added: number; refused: RefusedRow[] }> {
  const { rows, refused } = readCsv(csv);
  const titles = [...new Set(rows.flatMap(({ document }) => document ?? []))];
  const documents = titles.length > 0 ? await documentsByTitle(tx, place.teamId, titles) : [];
  const [known] = await tx<{ tests: number }[]>`
    select count(*)::int as tests from public.agent_tests where agent_id = ${place.agentId}`;
  let room = mostTests - (known?.tests ?? 0);
  let added = 0;
  for (const { line, question, facts, document, mustRefuse } of rows) {
    const ids = documents.filter(({ title }) => title === document).map(({ id }) => id);
    if (document && ids.length !== 1) {
      refused.push(refusedRow(line, refusal(ids.length === 0 ? "testNoDocument" : "testManyDocuments")));
    } else if (room <= 0) refused.push(refusedRow(line, refusal("testsFull")));
    else {
      await addTest(tx, place, { question, facts, mustRefuse, expectedDocumentId: ids[0] ?? null });
      room--;
      added++;
    }
  }
  return { added, refused: refused.sort((one, other) => one.line - other.line) };
}
