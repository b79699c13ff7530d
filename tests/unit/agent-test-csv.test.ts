// Agent tests as a CSV file: what is written is read back, and a spreadsheet finds no formula in it.
import { expect, test } from "vitest";
import { readCsv, writeCsv } from "../../edge-functions/v1/agent-tests/csv.ts";
import type { AgentTest } from "../../edge-functions/v1/agent-tests/schema.ts";
import fc from "../support/property-cases.ts";

const testOf = (question: string): AgentTest => ({
  id: "00000000-0000-4000-8000-000000000000",
  question,
  facts: [],
  expectedTitle: null,
  expectedDocumentId: null,
  mustRefuse: true,
  teamId: "00000000-0000-4000-8000-000000000001",
  agentId: "00000000-0000-4000-8000-000000000002",
  author: null,
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
});
const question = fc
  .array(fc.constantFrom("'", "=", "-", "+", "@", ";", "\t", " ", '"', ",", "a", "1", "\n"), {
    maxLength: 12,
  })
  .map((parts) => `q${parts.join("")}q`)
  .chain((text) => fc.constantFrom(text, text.slice(1).trimStart() || "q"));

test("a question is read back as it was written, and is no formula where semicolons separate cells", () => {
  fc.assert(
    fc.property(question, (asked) => {
      const file = writeCsv([testOf(asked)]);
      const { rows, refused } = readCsv(file);
      expect(refused).toEqual([]);
      expect(rows.map((row) => row.question)).toEqual([asked]);
      expect(file.slice(file.indexOf("\r\n") + 2)).not.toMatch(/(?:^"|[;\t\r\n])\s*[=+\-@]/);
    }),
  );
});
