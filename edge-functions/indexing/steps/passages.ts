// Cuts a document's text into the passages of an index: its chunks, each with the context that is embedded before it and the hash
// of both.
import { type Chunk, chunkText, contextOf, inContext } from "../chunking.ts";
import { contentHash } from "../embedding.ts";
import type { StructureSpan } from "../parsers/document.ts";
import { markdownStructure } from "../parsers/markdown-structure.ts";
import type { DocumentRow } from "./documents.ts";
import type { KnowledgeRow } from "./generation.ts";

export interface Passage extends Chunk {
  context: string;
  hash: string;
}

/** Texts up to this length are cut in a few hundredths of a second, whatever else a call has done. */
export const fewChars = 200_000;

export function passagesOf(document: DocumentRow, knowledge: KnowledgeRow): Passage[] {
  const text = document.content ?? "";
  const structure = structureOf(document, text);
  const title = [document.title, document.structure?.title ?? ""].filter(Boolean).join(" · ");
  const options = { maxTokens: knowledge.chunkMaxTokens, overlapTokens: knowledge.chunkOverlapTokens };
  return chunkText({ text, structure }, options).map((chunk) => {
    const context = contextOf(title, chunk);
    return { ...chunk, context, hash: contentHash(inContext(context, chunk.content)) };
  });
}

/** The text sent to the embedding model. */
export const textOf = ({ context, content }: Pick<Passage, "context" | "content">): string =>
  inContext(context, content);

/** The columns of passages, one array each. */
export const columnsOf = (passages: Passage[]) => ({
  position: passages.map((p) => p.position),
  context: passages.map((p) => p.context),
  content: passages.map((p) => p.content),
  start: passages.map((p) => p.start),
  end: passages.map((p) => p.end),
  page: passages.map((p) => p.page ?? null),
  heading: passages.map((p) => p.headings.join(" › ")),
  tokens: passages.map((p) => p.tokens),
  hash: passages.map((p) => p.hash),
  preface: passages.map((p) => p.preface ?? ""),
});

/** The parser's spans, unless the text was edited since or came as Markdown, which is mapped with the current code. */
export function structureOf({ structure, type }: DocumentRow, text: string): StructureSpan[] {
  const isParsed = type === "file" || structure?.isParsed === true;
  return isParsed && structure?.textHash === contentHash(text) ? structure.spans : markdownStructure(text);
}
