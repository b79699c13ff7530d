// Schemas of the parts of Confluence's responses that we read. Source: developer.atlassian.com/cloud/confluence/rest/v2.
import { z } from "zod";

/** A number in older responses, a string in newer ones. */
const id = z.union([z.string().regex(/^[0-9]{1,20}$/), z.int().positive().transform(String)]);
const version = z.object({ createdAt: z.string(), number: z.number().nullish() });

/** A list of unvalidated entries. */
export const listed = z.object({
  results: z.array(z.unknown()),
  _links: z.object({ next: z.string().nullish() }).nullish(),
});

export const space = z.object({ id, key: z.string(), name: z.string().nullish() });
export type Space = z.infer<typeof space>;

/** A page or a blog post. */
export const page = z.object({
  id,
  status: z.string().nullish(),
  title: z.string().nullish(),
  spaceId: id,
  version,
  body: z.object({ storage: z.object({ value: z.string() }).nullish() }).nullish(),
  _links: z.object({ webui: z.string().nullish() }).nullish(),
});
export type Page = z.infer<typeof page>;

export const attachment = z.object({
  id: z.string().regex(/^(?:att)?[0-9]{1,20}$/),
  status: z.string().nullish(),
  title: z.string().nullish(),
  pageId: id.nullish(),
  blogPostId: id.nullish(),
  mediaType: z.string().nullish(),
  fileSize: z.number().nullish(),
  version,
  webuiLink: z.string().nullish(),
});
export type Attachment = z.infer<typeof attachment>;

/** Users by account id. */
export const people = z.object({
  results: z.array(z.object({ accountId: z.string(), displayName: z.string().nullish() })),
});

export const identified = z.object({
  id: z
    .union([z.string(), z.int()])
    .transform(String)
    .pipe(z.string().regex(/^(?:att)?[0-9]{1,20}$/)),
  title: z.string().nullish().catch(null),
  /** The page or post that the attachment belongs to. */
  pageId: id.nullish().catch(null),
  blogPostId: id.nullish().catch(null),
});
