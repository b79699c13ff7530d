// The shapes of Notion's answers, as far as they are read, of version 2025-09-03. Source: developers.notion.com/reference.
import { z } from "zod";

const moment = z.string().refine((value) => !Number.isNaN(Date.parse(value)));
/** Whatever a list holds: each is still to be checked. */
export const listed = z.object({
  results: z.array(z.unknown()),
  has_more: z.boolean(),
  next_cursor: z.string().nullish(),
  /** Told where Notion leaves some out, beyond the depth to which it lists. */
  request_status: z.object({ type: z.string() }).nullish(),
});

const whole = {
  id: z.string().regex(/^[0-9a-f-]{32,36}$/i),
  last_edited_time: moment,
  created_time: z.string().nullish(),
  in_trash: z.boolean().nullish(),
  /** What `in_trash` was called; is_archived is another thing. */
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

/** Also of an object that Notion shows in part, since the connection may not see more of it. */
export const identified = z.object({ object: z.enum(["page", "data_source"]), id: whole.id });

export const block = z
  .object({
    id: z.string(),
    type: z.string(),
    has_children: z.boolean().nullish(),
    in_trash: z.boolean().nullish(),
    archived: z.boolean().nullish(),
  })
  // What the type says stands below the type's name.
  .catchall(z.unknown());
export type Block = z.infer<typeof block>;

export const failure = z.object({ code: z.string(), message: z.string().catch("") });
