// Owns importing tests from a CSV file: documents are looked up by title, rows are inserted one at a time as the caller, and rejected
// rows are reported.
import type { Transaction } from "../../_shared/database/db.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { type ReadRow, readCsv, refusedRow } from "./csv.ts";
import { addTest, allTests, documentsByTitle, lockTests } from "./queries.ts";
import type { AgentTest, RefusedRow } from "./schema.ts";

const mostTests = 500;

type Known = Pick<AgentTest, "facts" | "mustRefuse" | "expectedTitle">;

/**
 * Inserts the valid rows. A rejected row does not affect the others. A question that has a test already gets no second one: the file was
 * imported before, or holds it twice.
 */
export async function importTests(
  tx: Transaction,
  place: { teamId: string; agentId: string },
  csv: string,
): Promise<{ added: number; unchanged: number; refused: RefusedRow[] }> {
  const { rows, refused } = readCsv(csv);
  const titles = [...new Set(rows.flatMap(({ document }) => document ?? []))];
  const documents = titles.length > 0 ? await documentsByTitle(tx, place.teamId, titles) : [];
  // Of the same file sent twice at once, the second import waits for the first.
  await lockTests(tx, place.agentId);
  const tests = await allTests(tx, place);
  const known = new Map<string, Known[]>();
  for (const test of tests) known.set(wordsOf(test), [...(known.get(wordsOf(test)) ?? []), test]);
  let room = mostTests - tests.length;
  let added = 0;
  let unchanged = 0;
  for (const row of rows) {
    const { line, question, facts, document, mustRefuse } = row;
    const same = known.get(wordsOf(row));
    const ids = documents.filter(({ title }) => title === document).map(({ id }) => id);
    if (same?.some((test) => expectsSame(test, row))) unchanged++;
    else if (same) refused.push(refusedRow(line, refusal("testDiffers")));
    else if (document && ids.length !== 1) {
      refused.push(refusedRow(line, refusal(ids.length === 0 ? "testNoDocument" : "testManyDocuments")));
    } else if (room <= 0) refused.push(refusedRow(line, refusal("testsFull")));
    else {
      await addTest(tx, place, { question, facts, mustRefuse, expectedDocumentId: ids[0] ?? null });
      known.set(wordsOf(row), [{ facts, mustRefuse, expectedTitle: document }]);
      room--;
      added++;
    }
  }
  return { added, unchanged, refused: refused.sort((one, other) => one.line - other.line) };
}

/** A question as a CSV file keeps it: programs change its line ends. */
const wordsOf = ({ question }: { question: string }) => question.trim().replace(/\r\n?/g, "\n");

const expectsSame = (test: Known, row: ReadRow) =>
  test.mustRefuse === row.mustRefuse &&
  (test.expectedTitle ?? null) === row.document &&
  test.facts.map((fact) => fact.trim()).join("\n") === row.facts.join("\n");
