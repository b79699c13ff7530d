// What a Jira source is set up with.
import { z } from "zod";
import { secret, serviceAddress } from "../settings.ts";

export const config = z.strictObject({
  /** The site's address: https://acme.atlassian.net. */
  site: serviceAddress(),
  /** Keys of the projects to read; every project that the account sees when empty. */
  projects: z
    .array(
      z
        .string()
        .trim()
        .regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, "This is not a project's key.")
        .transform((key) => key.toUpperCase()),
    )
    .max(100)
    .default([]),
  /** Leaves the discussion below an issue out. */
  withoutComments: z.boolean().default(false),
});
export type JiraConfig = z.infer<typeof config>;

export const credentials = z.strictObject({ email: z.email().max(254), apiToken: secret });
export type JiraCredentials = z.infer<typeof credentials>;
