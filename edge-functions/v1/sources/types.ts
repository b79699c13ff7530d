// Owns what each type of source is set up with, and which types can be loaded at all. Pure.
import { z } from "@hono/zod-openapi";
import { ApiError } from "../../_shared/errors.ts";
import { connectorFor } from "../../indexing/connectors/registry.ts";
import type { SourceConfig, SourceType } from "./schema.ts";

const connectorConfig = z.record(z.string().max(100), z.json());

const configs = {
  file: z.strictObject({ fileIds: z.array(z.uuid()).max(5000).default([]) }),
  agentChat: z.strictObject({ agentId: z.uuid() }),
  jira: connectorConfig,
  shopify: connectorConfig,
  hubspot: connectorConfig,
} satisfies Record<SourceType, z.ZodType<SourceConfig>>;

const names: Record<SourceType, string> = {
  file: "Files",
  agentChat: "Chats of an agent",
  jira: "Jira",
  shopify: "Shopify",
  hubspot: "HubSpot",
};
/** A config as its type wants it. @throws ApiError VALIDATION_FAILED with the paths below "config" */
export function validConfig(type: SourceType, config: unknown): SourceConfig {
  const parsed = z.object({ config: configs[type] }).safeParse({ config: config ?? {} });
  if (parsed.success) return parsed.data.config;
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new ApiError("VALIDATION_FAILED", undefined, { details });
}

/** @throws ApiError VALIDATION_FAILED for a type that logs in nowhere */
export function checkCredentials(type: SourceType): void {
  if (type !== "file" && type !== "agentChat") return;
  const message = `${names[type]} need no credentials.`;
  throw new ApiError("VALIDATION_FAILED", message, { details: [{ path: "credentials", message }] });
}

/** @throws ApiError CONFLICT for a type that cannot be loaded or indexed yet */
export function requireConnector(type: SourceType): void {
  if (connectorFor(type)) return;
  throw new ApiError("CONFLICT", `${names[type]} cannot be loaded by this release yet.`);
}
