// Owns what every resource's router shares: validation errors, the caller, and the schemas of lists and errors.
// Must not hold a resource's rules.
import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context, ErrorHandler } from "hono";
import type { Claims, Transaction } from "../_shared/database/db.ts";
import type { Caller } from "../_shared/requests/auth.ts";
import {
  ApiError,
  codesOf,
  type ErrorDetail,
  type ErrorStatus,
  errorCodes,
} from "../_shared/requests/errors.ts";
import { invalidFields, refuseAs } from "../_shared/requests/invalid-fields.ts";
import { type ClientAddress, clientAddresses } from "../_shared/requests/limits.ts";
import { isPlainText } from "../_shared/text/plain-text.ts";
import type { Declared } from "./route.ts";

export type AppEnv = {
  Variables: {
    caller: Caller;
    requestId: string;
    /** When the request arrived, as performance.now() counts. */
    arrivedAt: number;
    /** The endpoint's declaration. */
    route: Declared;
    /** Formats errors below a path, if not in the usual way. */
    tellFailure?: ErrorHandler<AppEnv>;
    /** The team of a platform admin's call whose path names none; null: every team. */
    team?: { id: string | null };
    /** Set once the route's permission has been checked. */
    isTeamAsked?: true;
  };
};

type Validated = { success: true; data: unknown } | { success: false; error: z.ZodError };

/** What was sent, valid or not. The validator always passes it; its type has it for valid input only. */
export const inputOf = (result: Validated) => (result as { data?: unknown }).data;

/** A router that reports failed validation as VALIDATION_FAILED with the path of every field. */
export function router() {
  return new OpenAPIHono<AppEnv>({ defaultHook: (result) => refuseInvalid(result) });
}

/**
 * Refuses what failed validation.
 * @param more refusals that the schema does not know
 */
export function refuseInvalid(result: Validated, more: ErrorDetail[] = []): undefined {
  const invalid = result.success ? [] : invalidFields(result.error.issues, inputOf(result));
  const details = [...invalid, ...more];
  if (details.length > 0) throw new ApiError("VALIDATION_FAILED", undefined, { details });
}

/** The calling user. @throws ApiError NOT_AUTHENTICATED, or FORBIDDEN for an API key */
export function userOf(c: Context<AppEnv>): Extract<Caller, { kind: "user" }> {
  const { caller } = c.var;
  if (caller.kind === "user") return caller;
  throw new ApiError(caller.kind === "apiKey" ? "FORBIDDEN" : "NOT_AUTHENTICATED");
}

export function claimsOf(c: Context<AppEnv>): Claims {
  return c.var.caller.claims;
}

/** The caller's claims with the admin flag, for users. Safe for everyone: Postgres checks that the user is a platform admin. */
export function adminClaims(c: Context<AppEnv>): Claims {
  const { caller } = c.var;
  return caller.kind === "user" ? { ...caller.claims, admin: true } : caller.claims;
}

/** The addresses that a call counts for. */
export function addressesOf(c: Context<AppEnv>): ClientAddress[] {
  return clientAddresses(c.req.header("X-Forwarded-For"));
}

export const id = z.uuid().openapi({ example: "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42" });
export const time = z.iso.datetime().openapi({ example: "2026-01-31T09:30:00.000Z" });
export const times = { createdAt: time, updatedAt: time };

/** One line of visible text: a name, a title. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => text === "" || isPlainText(text), refuseAs("characters"));

/** A name in URLs: lower case, digits, hyphens. */
export const slug = () => {
  const pattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
  return z
    .string()
    .refine((text) => pattern.test(text), refuseAs("slug"))
    .openapi({ pattern: pattern.source });
};

/** Text of several lines. Postgres stores no NUL. */
export const prose = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes("\0"), refuseAs("characters"));

/** An email address to write to. Lower case, so that one address is one account. */
export const newEmail = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email())
  .openapi({ type: "string", format: "email", maxLength: 254, example: "ada@example.com" });

/** Ids in a query, as `ids=a,b` or `ids=a&ids=b`. */
export const idList = z
  .union([z.string(), z.array(z.string())])
  .transform((value) =>
    [value]
      .flat()
      .flatMap((text) => text.split(","))
      .filter((text) => text !== ""),
  )
  .pipe(z.array(z.uuid()).max(100))
  .openapi({ type: "string", description: "Ids, separated by commas; at most 100." });

/** A team's id or its codename. */
export const teamRef = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9-]+$/)
  .openapi({
    param: { name: "teamId", in: "path" },
    example: "demo",
    description: "The team's id, its codename, or one of its last five former codenames.",
  });

/** A whole number in a query or a path, in decimal digits alone: Number() would also read "0x10", "1e1" and " 5". */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
    z.number().int().min(min).max(max),
  );

/** The path's parameter of calls for one row. */
export const oneById = z.object({ id: z.uuid() });

/** A list's filter by name. */
export const namePart = z
  .string()
  .max(200)
  .optional()
  .openapi({ description: "Part of the name, case-insensitive." });

/** How many rows a page of a list has. */
export const perPage = wholeNumber(1, 100).default(20).openapi({ description: "How many rows at most." });

/** `page` and `perPage` of a numbered list. */
export const pageQuery = z.object({
  page: wholeNumber(1, 1_000_000).default(1).openapi({ description: "Which page of the list, from 1." }),
  perPage,
});
export type PageQuery = z.infer<typeof pageQuery>;

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), page: z.int(), perPage: z.int(), total: z.int() });

const errorBody = z
  .object({
    code: z.enum(errorCodes),
    message: z.string(),
    requestId: z.string(),
    details: z
      .array(
        z.object({
          path: z.string(),
          message: z.string(),
          code: z.string().openapi({ description: "The reason, for programs. Stable." }),
          params: z.record(z.string(), z.string()).openapi({ description: "The values in the message." }),
        }),
      )
      .optional(),
    current: z.record(z.string(), z.unknown()).optional().openapi({
      description: "With CHANGED_MEANWHILE: the resource as it is now.",
    }),
  })
  .openapi("Error");

const failure = (status: ErrorStatus) => ({
  description: codesOf(status).join(", "),
  content: { "application/json": { schema: errorBody } },
});

/** The errors in every route's OpenAPI description. */
export const failures = {
  400: failure(400),
  401: failure(401),
  402: failure(402),
  403: failure(403),
  404: failure(404),
  409: failure(409),
  413: failure(413),
  415: failure(415),
  429: failure(429),
  500: failure(500),
  502: failure(502),
  503: failure(503),
};

export const json = <T extends z.ZodType>(schema: T, description = "OK") => ({
  description,
  content: { "application/json": { schema } },
});

/** A JSON body. Unknown fields are rejected if `schema` is a strict object. */
export const jsonBody = <T extends z.ZodType>(schema: T) => ({
  required: true,
  content: { "application/json": { schema } },
});

/** The response for work that continues in the background. */
export const accepted = z.object({ taskId: id }).openapi("Accepted");

/**
 * The id of a team in which the caller has a permission.
 * @param ref the team's id or codename
 * @throws ApiError NOT_FOUND when the caller cannot see the team, FORBIDDEN when they lack the permission
 */
export async function teamWith(tx: Transaction, ref: string, permission: string): Promise<string> {
  const [team] = await tx<{ id: string; allowed: boolean }[]>`
    select t.id, allowed
      from public.teams t, lateral (select t.id = any (private.teams_with(${permission})) as allowed) role
     where ${byTeamRef(tx, ref)} and (allowed or not private.only_invites(t.id))`;
  if (!team) throw new ApiError("NOT_FOUND");
  if (!team.allowed) throw new ApiError("FORBIDDEN");
  return team.id;
}

const anyId = z.uuid();
/** True for a row's id: what else names a row is its codename or address. */
export const isId = (text: string): boolean => anyId.safeParse(text).success;

/** The team of an id or a codename, one of its former ones too. No two teams share any (11_teams.sql). */
export function byTeamRef(tx: Transaction, ref: string) {
  if (isId(ref)) return tx`t.id = ${ref}`;
  const codename = ref.toLowerCase();
  return tx`(t.codename = ${codename} or t.former_codenames @> array[${codename}])`;
}

/** The row, or NOT_FOUND. */
export function requireRow<T>(row: T | undefined): T {
  if (row === undefined) throw new ApiError("NOT_FOUND");
  return row;
}

/**
 * The changed row. Row-level security denies a change silently: a row that can still be read is FORBIDDEN, else NOT_FOUND.
 * @param read finds the row, or nothing
 */
export async function requireChange<T>(row: T | undefined, read: () => Promise<unknown>): Promise<T> {
  if (row !== undefined) return row;
  throw new ApiError((await read()) ? "FORBIDDEN" : "NOT_FOUND");
}
