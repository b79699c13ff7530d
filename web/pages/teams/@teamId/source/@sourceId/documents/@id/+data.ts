// A document with its text, and where in it the quoted passage stands (?quote=).
import { createHash } from "node:crypto";
import { type TextTable, tablesOf } from "#edge-functions/_shared/text/table-text.ts";
import type { AnswerOf } from "#web/browser/api-calls.ts";
import type { DataContext } from "#web/renderer/page-definition.ts";
import { teamRef } from "#web/server/current-team.ts";

export interface DocumentData {
  document: AnswerOf<"GET", "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}">;
  source: { id: string; name: string };
  /** Headings and pages in the content; none where the text was edited after it was parsed. */
  marks: NonNullable<DocumentData["document"]["structure"]>["spans"];
  tables: TextTable[];
  /** UTF-16 code units into the content. */
  quote: { start: number; end: number } | null;
}

export async function data({ request, routeParams }: DataContext): Promise<DocumentData> {
  const teamId = teamRef(request);
  const { sourceId = "", id = "" } = routeParams;
  const [document, source] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/sources/{sourceId}/documents/{id}", { teamId, sourceId, id }),
    request.api.get("/v1/teams/{teamId}/sources/{id}", { teamId, id: sourceId }),
  ]);
  const wanted = request.url.searchParams.get("quote") ?? "";
  // A browser may have turned line ends into CRLF on the way.
  const words = wanted.replaceAll("\r\n", "\n");
  const text = document.content ?? "";
  const start = words ? text.indexOf(words) : -1;
  const isParsedText = document.structure?.textHash === createHash("sha256").update(text).digest("hex");
  const marks = (isParsedText && document.structure?.spans) || [];
  return {
    document,
    source,
    marks,
    tables: tablesOf(text, marks),
    quote: start < 0 ? null : { start, end: start + words.length },
  };
}
