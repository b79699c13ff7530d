// Owns what each type of source is set up with: the shape of its settings and of its credentials, as its connector declares them.
// Asks nobody.
import { z } from "@hono/zod-openapi";
import { ApiError } from "../../_shared/requests/errors.ts";
import { invalidFields } from "../../_shared/requests/invalid-fields.ts";
import { configSchema, credentialsSchema, type Declaration } from "../../indexing/connectors/declaration.ts";
import { declarationOf } from "../../indexing/connectors/registry.ts";
import type { SourceConfig, SourceType } from "./schema.ts";

function declared(type: SourceType): Declaration {
  const declaration = declarationOf(type);
  if (!declaration) throw new Error(`no connector declares ${type}`);
  return declaration;
}

/** Whether a source of this type is read from its service or the database, rather than listed by its own settings. */
export const syncs = (type: SourceType): boolean => declared(type).schedules.length > 0;

/**
 * A config as its type wants it, whole, in the form in which it is kept.
 * @throws ApiError VALIDATION_FAILED with the paths below "config"
 */
export function validConfig(type: SourceType, config: Record<string, unknown> | undefined): SourceConfig {
  // Declared fields are made of JSON.
  const schema = configSchema(declared(type)) as z.ZodType<SourceConfig>;
  return checked(z.object({ config: schema }), { config: config ?? {} }).config;
}

/**
 * The credentials in the form in which they are kept: whole, what is given over what is kept, so that one field may be changed
 * alone. Null for a type that logs in nowhere, and where none are needed and none are given.
 * @throws ApiError VALIDATION_FAILED with the paths below "credentials", or for credentials that nothing asks for
 */
export function validCredentials(
  type: SourceType,
  given: Record<string, string> | undefined,
  kept: Record<string, string> | null = null,
): Record<string, string> | null {
  const declaration = declared(type);
  const { login, name } = declaration;
  if (login === "optional" && !given && !kept) return null;
  if (login !== "never") {
    const whole = credentialsSchema(declaration) as z.ZodType<Record<string, string>>;
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
  const { addresses } = declared(type);
  // An address beside one that is kept is another place too: Postgres drops the credentials as well.
  const wasSetUp = addresses.some((name) => from[name] !== undefined);
  return wasSetUp && addresses.some((name) => from[name] !== to[name]);
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = invalidFields(parsed.error.issues, value);
  throw new ApiError("VALIDATION_FAILED", undefined, { details });
}
