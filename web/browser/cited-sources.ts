// The sources of a reply as its reader counts them: one number for each section of a document, from 1, in the order in which the reply
// cites them, whatever numbers the passages had before the model. Pure.
import type { Citation } from "./chat.ts";

export interface CitedSource {
  /** What stands in the mark. */
  number: number;
  documentId: string;
  title: string;
  /** The headings above, "Leave › Parental leave"; "" where there are none. */
  heading: string;
  page: number | null;
  /** What the reply quotes of it, in the order of the reply. */
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

/** The documents in the order in which they are first cited, each with its sources. */
export function byDocument(sources: CitedSource[]): CitedDocument[] {
  const documents = new Map<string, CitedDocument>();
  for (const source of sources) {
    const { documentId, title } = source;
    const known = documents.get(documentId);
    if (known) known.sources.push(source);
    else documents.set(documentId, { documentId, title, sources: [source] });
  }
  return [...documents.values()];
}

/** The source that a mark [index] of the reply's text stands for. */
export const sourceOf = (sources: CitedSource[], index: number): CitedSource | undefined =>
  sources.find(({ citations }) => citations.some((one) => one.index === index));

/** The text with the numbers that its reader sees; marks that stand for nothing stay. */
export const renumbered = (text: string, sources: CitedSource[]): string =>
  text.replace(/\[(\d{1,3})\]/g, (mark, index: string) => {
    const source = sourceOf(sources, Number(index));
    return source ? `[${source.number}]` : mark;
  });
