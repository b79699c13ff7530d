// Schemas of the parts of Notion's responses that we read, version 2025-09-03. Source: developers.notion.com/reference.
import { z } from "zod";

const moment = z.string().refine((value) => !Number.isNaN(Date.parse(value)));
/** A list of unvalidated entries. */
export const listed = z.object({
  results: z.array(z.unknown()),
  has_more: z.boolean(),
  next_cursor: z.string().nullish(),
  /** Present when Notion leaves results out, beyond its maximum depth. */
  request_status: z.object({ type: z.string() }).nullish(),
});

const whole = {
  id: z.string().regex(/^[0-9a-f-]{32,36}$/i),
  last_edited_time: moment,
  created_time: z.string().nullish(),
  in_trash: z.boolean().nullish(),
  /** The former name of `in_trash`; is_archived is something else. */
  archived: z.boolean().nullish(),
  is_archived: z.boolean().nullish(),
  url: z.string().nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
};
export const page = z.object({
  object: z.literal("page"),
  ...whole,
  parent: z.object({ data_source_id: z.string().nullish() }).nullish(),
});
export type NotionPage = z.infer<typeof page>;

export const dataSource = z.object({
  object: z.literal("data_source"),
  ...whole,
  title: z.array(z.unknown()).nullish(),
  description: z.array(z.unknown()).nullish(),
});
export type DataSource = z.infer<typeof dataSource>;

/** Also matches an object that Notion returns in part because the connection cannot see all of it. */
export const identified = z.object({ object: z.enum(["page", "data_source"]), id: whole.id });

export const block = z
  .object({
    id: z.string(),
    type: z.string(),
    has_children: z.boolean().nullish(),
    in_trash: z.boolean().nullish(),
    archived: z.boolean().nullish(),
  })
  // The content is in a property named after the type.
  .catchall(z.unknown());
export type Block = z.infer<typeof block>;

export const failure = z.object({ code: z.string(), message: z.string().catch("") });
