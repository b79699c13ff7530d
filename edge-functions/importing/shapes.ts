// Owns the shapes that several tables of an archive share, and the conversion of a line to a row. Pure.
import { z } from "zod";
import { isPlainText } from "../_shared/text/plain-text.ts";

/** Any form that Postgres accepts: earlier imports gave visitors ids without the variant of a UUID. */
export const id = z.guid().transform((value) => value.toLowerCase());
/** At most so many characters, as Postgres counts: an emoji is one, and two units of a JavaScript string. */
export const text = (most: number) =>
  z
    .string()
    .refine((value) => value.length <= most || (value.length <= 2 * most && countCharacters(value) <= most));

/** One by one: a list of those of a hostile line would take a gigabyte. */
function countCharacters(value: string): number {
  let count = 0;
  for (let at = 0; at < value.length; at += (value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count++;
  return count;
}

export const plain = (most: number) => text(most).refine(isPlainText);
/** Not before 2000 and not in the future: charts count by day. */
export const time = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) >= Date.UTC(2000, 0))
  .transform((value) => new Date(Math.min(Date.parse(value), Date.now())).toISOString());
/** May lie in the future. */
export const laterTime = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) >= Date.UTC(2000, 0) && Date.parse(value) <= Date.UTC(9999, 11, 31))
  .transform((value) => new Date(value).toISOString());
/** As Postgres judges it, which takes away spaces alone. */
export const isSaid = (value: string) => /[^ ]/.test(value) && !value.includes("\0");
export const mailAddress = text(320)
  .refine((value) => isPlainText(value) && /^[^ @<>()[\],;:\\"]+@[^ @<>()[\],;:\\"]+$/.test(value))
  .transform((value) => value.toLowerCase());
export const rating = z.enum(["up", "down"]).nullable();
export const address = text(2000)
  // Postgres takes the spaces that do not break a line for characters.
  .regex(/^https?:\/\/(?:\S|[\u00a0\u2007\u202f])+$/)
  .refine(isPlainText);

export const usage = z.object({
  promptTokens: z.int().min(0).max(100_000_000),
  completionTokens: z.int().min(0).max(100_000_000),
  model: text(200),
});

/** Missing in older archives. */
export const unsupportedClaims = z.enum(["mark", "omit", "ignore"]).default("mark");

/** What could not be read of a document, which lists may make long. */
export const note = z.string().transform((value) => value.slice(0, 10_000));

/** A code that a message names. Archives of earlier releases have none. */
export const reason = z
  .string()
  .regex(/^[A-Za-z_]{1,60}$/)
  .nullable()
  .default(null);

export const support = z.object({
  state: z.enum(["answered", "partly", "notFound", "disagree", "unchecked"]),
  claims: z
    .array(
      z.object({
        text: text(500),
        supported: z.boolean().nullable(),
        citations: z.array(z.int()).max(200),
        reason: z.enum(["value", "unit", "name", "negation", "judge"]).optional(),
        end: z.int().min(0).max(200_000).nullable(),
      }),
    )
    .max(100),
  disagreement: z.array(z.object({ citation: z.int(), quote: text(1000), date: text(10).nullable() })).max(2),
});

/** A line of a table: its old id, and the columns to store. */
export interface ArchivedRow {
  oldId?: string;
  content: Record<string, unknown>;
}

export const row =
  <S extends z.ZodObject>(shape: S, keep: (value: z.output<S>) => Record<string, unknown> | undefined) =>
  (line: unknown): ArchivedRow | undefined => {
    const value = shape.parse(line);
    const content = keep(value);
    return content && { ...(typeof value.id === "string" ? { oldId: value.id } : {}), content };
  };
