// Owns what each type of source is set up with: the shape of its settings and of its credentials. Asks nobody.
import { z } from "@hono/zod-openapi";
import { ApiError } from "../../_shared/errors.ts";
import { config as agentChatConfig } from "../../indexing/connectors/agent-chat/index.ts";
import * as hubspot from "../../indexing/connectors/hubspot/config.ts";
import * as jira from "../../indexing/connectors/jira/config.ts";
import * as shopify from "../../indexing/connectors/shopify/config.ts";
import type { SourceConfig, SourceType } from "./schema.ts";

interface Setup {
  /** What the type is called in sentences. */
  name: string;
  config: z.ZodType<SourceConfig>;
  /** Absent for a type that logs in nowhere. */
  credentials?: z.ZodObject;
  /** The field of the config that says where credentials are sent. */
  address?: string;
}

const setups: Record<SourceType, Setup> = {
  file: { name: "Files", config: z.strictObject({ fileIds: z.array(z.uuid()).max(5000).default([]) }) },
  agentChat: { name: "Chats of an agent", config: agentChatConfig },
  jira: { name: "Jira", config: jira.config, credentials: jira.credentials, address: "site" },
  shopify: { name: "Shopify", config: shopify.config, credentials: shopify.credentials, address: "shop" },
  hubspot: { name: "HubSpot", config: hubspot.config, credentials: hubspot.credentials, address: "apiUrl" },
};

/**
 * A config as its type wants it, whole, in the form in which it is kept.
 * @throws ApiError VALIDATION_FAILED with the paths below "config"
 */
export function validConfig(type: SourceType, config: Record<string, unknown> | undefined): SourceConfig {
  return checked(z.object({ config: setups[type].config }), { config: config ?? {} }).config;
}

/**
 * The credentials in the form in which they are kept: whole, what is given over what is kept, so that one field may be changed
 * alone. Null for a type that logs in nowhere.
 * @throws ApiError VALIDATION_FAILED with the paths below "credentials", or for credentials that nothing asks for
 */
export function validCredentials(
  type: SourceType,
  given: Record<string, string> | undefined,
  kept: Record<string, string> | null = null,
): Record<string, string> | null {
  const { credentials, name } = setups[type];
  if (credentials) {
    const whole = credentials as z.ZodType<Record<string, string>>;
    return checked(z.object({ credentials: whole }), { credentials: { ...kept, ...given } }).credentials;
  }
  if (!given) return null;
  const message = `${name} need no credentials.`;
  throw new ApiError("VALIDATION_FAILED", message, { details: [{ path: "credentials", message }] });
}

/**
 * Whether another config would send the same credentials to another place. One that was never set up sends them nowhere.
 */
export function movesCredentials(
  type: SourceType,
  from: Record<string, unknown>,
  to: Record<string, unknown>,
): boolean {
  const { address } = setups[type];
  return address !== undefined && from[address] !== undefined && from[address] !== to[address];
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
          path: [...issue.path, key].join("."),
          message: "This field is not known.",
        }))
      : [{ path: issue.path.join("."), message: issue.message }],
  );
  throw new ApiError("VALIDATION_FAILED", undefined, { details });
}
