// Schemas of the parts of GitHub's responses that we read.
import { z } from "zod";

const author = z.object({ login: z.string() }).nullish();
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
/** A connection of unvalidated nodes. A node is null when GitHub could not read it. */
const connection = z.object({ nodes: z.array(z.unknown()), pageInfo });
export type Connection = z.infer<typeof connection>;

export const comment = z.object({
  id: z.string().nullish(),
  author,
  body: z.string(),
  createdAt: z.string().nullish(),
  /** Hidden by the repository's maintainers: spam, off topic, outdated. */
  isMinimized: z.boolean().nullish(),
  isAnswer: z.boolean().nullish(),
  replies: connection.nullish(),
});
export type Comment = z.infer<typeof comment>;

export const thread = z.object({
  id: z.string(),
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  url: z.string(),
  createdAt: z.string().nullish(),
  updatedAt: z.string(),
  state: z.string().nullish(),
  author,
  category: z.object({ name: z.string() }).nullish(),
  labels: z.object({ nodes: z.array(z.object({ name: z.string() }).nullable()).nullish() }).nullish(),
  comments: connection,
});
export type Thread = z.infer<typeof thread>;

const inRepository = <T extends z.ZodRawShape>(shape: T) => z.object({ repository: z.object(shape) });

/** GraphQL follows a renamed or moved repository, REST does not: REST calls use the name that GraphQL returns. */
const nameWithOwner = z.string().nullish();

export const repository = inRepository({
  url: z.string(),
  nameWithOwner,
  /** Null in a repository without a commit. */
  defaultBranchRef: z
    .object({
      name: z.string(),
      target: z.object({ oid: z.string(), tree: z.object({ oid: z.string() }) }),
    })
    .nullable(),
});
export const file = inRepository({
  nameWithOwner,
  object: z
    .object({
      oid: z.string(),
      byteSize: z.number(),
      isBinary: z.boolean().nullish(),
      isTruncated: z.boolean(),
      text: z.string().nullish(),
    })
    .partial()
    .nullable(),
  defaultBranchRef: z
    .object({
      target: z
        .object({
          file: z.object({ mode: z.number() }).nullable(),
          history: z.object({ nodes: z.array(z.object({ committedDate: z.string() }).nullable()) }),
        })
        .partial(),
    })
    .nullish(),
});
export const threads = inRepository({ page: connection });
export const oneThread = inRepository({ thread: z.unknown() });
export const count = inRepository({ counted: z.object({ totalCount: z.number() }) });
export const morePage = z.object({ node: z.object({ page: connection }) });

export const tree = z.object({
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.string(),
      sha: z.string(),
      size: z.number().nullish(),
    }),
  ),
  truncated: z.boolean(),
});
export type TreeEntry = z.infer<typeof tree>["tree"][number];

export const comparison = z.object({
  status: z.string(),
  files: z
    .array(
      z.object({
        filename: z.string(),
        status: z.string(),
        sha: z.string().nullish(),
        previous_filename: z.string().nullish(),
      }),
    )
    .nullish(),
});
export type Comparison = z.infer<typeof comparison>;
