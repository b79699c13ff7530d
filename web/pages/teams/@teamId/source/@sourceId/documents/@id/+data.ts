// A document with its text, and where in it the quoted passage stands (?quote=).
import { createHash } from "node:crypto";
import type { PageContextServer } from "vike/types";
import { currentTeam } from "../../../../../../../server/current-team.ts";

export interface DocumentData {
  document: {
    id: string;
    title: string;
    url: string | null;
    type: string;
    status: string;
    chunksCount: number;
    content: string | null;
    /** What a parser found besides the text; null for a document that was given as text. */
    structure: {
      /** SHA-256 of the text that the spans point into. */
      textHash: string;
      spans: { kind: string; start: number; end: number; level?: number; page?: number }[];
    } | null;
    error: string | null;
    updatedAt: string;
  };
  source: { id: string; name: string };
  /** Headings and pages in the content; none where the text was edited after it was parsed. */
  marks: NonNullable<DocumentData["document"]["structure"]>["spans"];
  /** UTF-16 code units into the content. */
  quote: { start: number; end: number } | null;
}

export async function data({ request, routeParams }: PageContextServer): Promise<DocumentData> {
  const base = `/v1/teams/${currentTeam(request).id}/sources/${encodeURIComponent(routeParams.sourceId ?? "")}`;
  const [document, source] = await Promise.all([
    request.api.get<DocumentData["document"]>(
      `${base}/documents/${encodeURIComponent(routeParams.id ?? "")}`,
    ),
    request.api.get<DocumentData["source"]>(base),
  ]);
  const wanted = request.url.searchParams.get("quote") ?? "";
  // A browser may have turned line ends into CRLF on the way.
  const words = wanted.replaceAll("\r\n", "\n");
  const text = document.content ?? "";
  const start = words ? text.indexOf(words) : -1;
  const isParsedText = document.structure?.textHash === createHash("sha256").update(text).digest("hex");
  return {
    document,
    source,
    marks: (isParsedText && document.structure?.spans) || [],
    quote: start < 0 ? null : { start, end: start + words.length },
  };
}
