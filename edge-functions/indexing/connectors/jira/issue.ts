// Schemas of a Jira issue and its comments, as far as we read them. Pure.
import { z } from "zod";

const named = z.object({ name: z.string() }).partial().nullish();
const person = z.object({ displayName: z.string() }).partial().nullish();
export const comment = z.object({
  id: z.string(),
  author: person,
  body: z.unknown(),
  created: z.string().nullish(),
});
export type Comment = z.infer<typeof comment>;

export const issue = z.object({
  id: z.string().min(1),
  key: z.string().min(1),
  fields: z.object({
    summary: z.string().nullish(),
    /** Atlassian Document Format. */
    description: z.unknown(),
    status: named,
    issuetype: named,
    priority: named,
    resolution: named,
    labels: z.array(z.string()).nullish(),
    assignee: person,
    reporter: person,
    created: z.string().nullish(),
    updated: z.string(),
    project: z.object({ key: z.string(), name: z.string() }).partial().nullish(),
    attachment: z.array(z.unknown()).nullish(),
    comment: z.object({ comments: z.array(z.unknown()), total: z.number().optional() }).nullish(),
  }),
});
export type Issue = z.infer<typeof issue>;
