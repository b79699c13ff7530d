// Owns validating a source's settings and credentials against what its connector declares. Makes no calls.
import { z } from "@hono/zod-openapi";
import { ApiError } from "../../_shared/requests/errors.ts";
import { invalidFields } from "../../_shared/requests/invalid-fields.ts";
import { configSchema, credentialsSchema, type Declaration } from "../../indexing/connectors/declaration.ts";
import { declarationOf } from "../../indexing/connectors/registry.ts";
import type { SourceConfig, SourceType } from "./schema.ts";

function declarationFor(type: SourceType): Declaration {
  const declaration = declarationOf(type);
  if (!declaration) throw new Error(`no connector declares ${type}`);
  return declaration;
}

/** True for a type that is read from its service or the database, rather than listed in its own settings. */
export const syncs = (type: SourceType): boolean => declarationFor(type).schedules.length > 0;

/**
 * A complete config in its stored form.
 * @throws ApiError VALIDATION_FAILED with the paths below "config"
 */
export function validConfig(type: SourceType, config: Record<string, unknown> | undefined): SourceConfig {
  // The declared fields consist of JSON.
  const schema = configSchema(declarationFor(type)) as z.ZodType<SourceConfig>;
  return parseOrRefuse(z.object({ config: schema }), { config: config ?? {} }).config;
}

/**
 * Complete credentials in their stored form: the given ones merged over the stored ones, so that a single field can be changed. Null for
 * a type without a login, and if none are needed and none are given.
 * @throws ApiError VALIDATION_FAILED with the paths below "credentials", or for credentials that the type does not use
 */
export function validCredentials(
  type: SourceType,
  given: Record<string, string> | undefined,
  kept: Record<string, string> | null = null,
): Record<string, string> | null {
  const declaration = declarationFor(type);
  const { login, name } = declaration;
  if (login === "optional" && !given && !kept) return null;
  if (login !== "never") {
    const whole = credentialsSchema(declaration) as z.ZodType<Record<string, string>>;
    return parseOrRefuse(z.object({ credentials: whole }), { credentials: { ...kept, ...given } })
      .credentials;
  }
  if (!given) return null;
  const message = `${name} need no credentials.`;
  throw new ApiError("VALIDATION_FAILED", message, { details: [{ path: "credentials", message }] });
}

/**
 * True when another config may send the same credentials to another address. An address that is not set counts as another one than any
 * that is, since the connector may have a default: Postgres deletes the credentials by the same rule.
 */
export function movesCredentials(
  type: SourceType,
  from: Record<string, unknown>,
  to: Record<string, unknown>,
): boolean {
  return declarationFor(type).addresses.some((name) => from[name] !== to[name]);
}

function parseOrRefuse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = invalidFields(parsed.error.issues, value);
  throw new ApiError("VALIDATION_FAILED", undefined, { details });
}
