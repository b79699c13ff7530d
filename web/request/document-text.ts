// Owns a document's text as pages show it: its headings, pages and tables, for the whole text or its beginning.
import { createHash } from "node:crypto";
import { type TextTable, tablesOf } from "#edge-functions/_shared/text/table-text.ts";
import type { AnswerOf } from "../client/api-calls.ts";

type Document = AnswerOf<"GET", "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}">;

export interface DrawnText {
  content: string;
  /** Headings and pages in the content; none when the text was edited after it was parsed. */
  marks: NonNullable<Document["structure"]>["spans"];
  tables: TextTable[];
}

export function drawnText({ content, structure }: Pick<Document, "content" | "structure">): DrawnText {
  const text = content ?? "";
  const isParsedText = structure?.textHash === createHash("sha256").update(text).digest("hex");
  const marks = (isParsedText && structure?.spans) || [];
  return { content: text, marks, tables: tablesOf(text, marks) };
}

/** The beginning of a text. A table that continues after the cut keeps only its complete rows. */
export function beginningOf({ content, marks, tables }: DrawnText, characters: number): DrawnText {
  return {
    content: content.slice(0, characters),
    marks: marks.filter(({ end }) => end <= characters),
    tables: tables
      .filter(({ start }) => start < characters)
      .map((table) => ({
        ...table,
        end: Math.min(table.end, characters),
        rows: table.rows.filter(({ end }) => end <= characters),
      })),
  };
}
