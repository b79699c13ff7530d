// Owns the imported structure maps of documents that were read from files of a service: pages, headings and tables cannot be found in the
// text again, and a sync reads no unchanged file. Judges a map by what indexing assumes of the parsers' own. Pure.
import { z } from "zod";
import { limits, type StructureKind, type StructureSpan } from "../indexing/parsers/document.ts";
import { mostColumns } from "../indexing/parsers/table-rows.ts";

const place = z.int().min(0).max(limits.textChars);
/** Postgres stores neither NUL nor half a surrogate pair. */
const words = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed() && !value.includes("\0"));
const longestLabel = 100_000;

const span = z.object({
  kind: z.enum(["page", "heading", "table", "row", "list", "item", "code"]),
  start: place,
  end: place,
  level: z.int().min(1).max(6).optional(),
  page: z.int().min(1).max(1_000_000).optional(),
  confidence: z.number().min(0).max(1).nullable().optional(),
  label: words(longestLabel).optional(),
  columns: z.array(words(longestLabel)).max(mostColumns).optional(),
  caption: words(longestLabel).optional(),
  records: z.literal(true).optional(),
});

const structure = z.object({
  title: words(2000).optional(),
  textHash: z.string().regex(/^[0-9a-f]{64}$/),
  spans: z.array(span).max(limits.structureSpans),
  warnings: z.array(words(10_000)).max(1000),
  isParsed: z.literal(true),
  reader: z.int().min(1).max(1_000_000).optional(),
});

/** Null for text that came as Markdown, which indexing maps itself, and for an invalid map: the text counts without it. */
export const parsedStructure = z
  .unknown()
  .transform((value) => structure.safeParse(value).data ?? null)
  .transform((found) => (found && isOrdered(found.spans as StructureSpan[]) ? found : null));

const nested: StructureKind[] = ["list", "item"];

/** Sorted by start; spans of one kind overlap in lists alone. Indexing reads each row's text, so that overlapping rows would take for ever. */
function isOrdered(spans: StructureSpan[]): boolean {
  const ends = new Map<StructureKind, number>();
  let last = 0;
  return spans.every(({ kind, start, end }) => {
    const isNext = start >= last && end >= start && (nested.includes(kind) || start >= (ends.get(kind) ?? 0));
    last = start;
    ends.set(kind, end);
    return isNext;
  });
}
