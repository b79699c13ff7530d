// Numbers a reply's sources for its reader: one number per section of a document, from 1, in the order of citation,
// whatever numbers the passages had in the prompt. Pure.
import type { Citation } from "./chat.ts";

export interface CitedSource {
  /** The number shown in the mark. */
  number: number;
  documentId: string;
  title: string;
  /** Its headings, "Leave › Parental leave"; "" when it has none. */
  heading: string;
  page: number | null;
  /** The quotes from it, in the order of the reply. */
  citations: Citation[];
}

export interface CitedDocument {
  documentId: string;
  title: string;
  sources: CitedSource[];
}

/** @param citations in order of first use */
export function citedSources(citations: Citation[]): CitedSource[] {
  const sources = new Map<string, CitedSource>();
  for (const citation of citations) {
    const { documentId, title, heading = "", page = null } = citation;
    const key = JSON.stringify([documentId, heading, page]);
    const known = sources.get(key);
    if (known) known.citations.push(citation);
    else
      sources.set(key, { number: sources.size + 1, documentId, title, heading, page, citations: [citation] });
  }
  return [...sources.values()];
}

/** The documents in order of first citation, each with its sources. */
export function groupByDocument(sources: CitedSource[]): CitedDocument[] {
  const documents = new Map<string, CitedDocument>();
  for (const source of sources) {
    const { documentId, title } = source;
    const known = documents.get(documentId);
    if (known) known.sources.push(source);
    else documents.set(documentId, { documentId, title, sources: [source] });
  }
  return [...documents.values()];
}

/** The source behind a mark [index] in the reply's text. */
export const sourceOf = (sources: CitedSource[], index: number): CitedSource | undefined =>
  sources.find(({ citations }) => citations.some((one) => one.index === index));

/** The text with the reader's numbers; marks without a source stay. */
export const renumberMarks = (text: string, sources: CitedSource[]): string =>
  text.replace(/\[(\d{1,3})\]/g, (mark, index: string) => {
    const source = sourceOf(sources, Number(index));
    return source ? `[${source.number}]` : mark;
  });
