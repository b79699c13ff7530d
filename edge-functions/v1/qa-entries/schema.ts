// Owns the schemas of written answers.
import { z } from "@hono/zod-openapi";
import { refuseAs } from "../../_shared/requests/invalid-fields.ts";
import { author } from "../agent-versions/schema.ts";
import { id, pageQuery, prose, time, times } from "../router.ts";
import { rowVersion } from "../row-versions.ts";

const isSaid = (text: string) => text.trim() !== "";
const question = prose(2000).refine(isSaid, refuseAs("required"));
const answer = prose(20_000).refine(isSaid, refuseAs("required"));
const expiresAt = z.iso
  .datetime({ offset: true })
  .refine((value) => {
    const year = new Date(value).getUTCFullYear();
    return year >= 2000 && year <= 9998;
  }, refuseAs("dateRange"))
  .transform((value) => new Date(value).toISOString())
  .nullable()
  .openapi({
    type: ["string", "null"],
    format: "date-time",
    description: "When it expires. Null: never.",
    example: "2027-01-31T00:00:00.000Z",
  });
const ownerId = z.uuid().nullable().openapi({
  description: "The member responsible for it. Default: its author.",
});

export const qaEntry = z
  .object({
    id,
    teamId: id,
    sourceId: id,
    question: z.string(),
    answer: z.string(),
    owner: author,
    expiresAt: time.nullable(),
    isExpired: z.boolean().openapi({ description: "Agents no longer answer from it." }),
    reviewedAt: time.openapi({ description: "When it was last saved." }),
    reviewer: author,
    documentId: id.nullable().openapi({ description: "Its document. Null once it has expired." }),
    version: rowVersion,
    ...times,
  })
  .openapi("QaEntry");
export type QaEntry = z.infer<typeof qaEntry>;

export const newQaEntry = z
  .strictObject({ question, answer, ownerId: ownerId.optional(), expiresAt: expiresAt.optional() })
  .openapi("NewQaEntry", {
    example: { question: "How many days of leave do I have?", answer: "25 days a year." },
  });
export type NewQaEntry = z.infer<typeof newQaEntry>;

export const qaEntryUpdate = z
  .strictObject({ question, answer, ownerId, expiresAt })
  .partial()
  .openapi("QaEntryUpdate", { description: "Without any field it is marked as reviewed." });
export type QaEntryUpdate = z.infer<typeof qaEntryUpdate>;

export const qaEntriesQuery = pageQuery.extend({
  question: z
    .string()
    .max(200)
    .optional()
    .openapi({ description: "Part of the question or of the answer, case-insensitive." }),
});
export type QaEntriesQuery = z.infer<typeof qaEntriesQuery>;

/** The fields of a written answer, for the endpoint that writes one for a gap. */
export const written = { question, answer, ownerId, expiresAt };
