// Owns the kinds of fields that a connector can declare: how the API validates a value, how Postgres checks it and which control
// shows it. Pure except for PARLEY_OUTBOUND_ALLOW.
import { z } from "zod";
import { isAllowedPlace } from "../../_shared/outbound/outbound.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";

export type Control =
  | "address"
  | "page"
  | "list"
  | "lines"
  | "choices"
  | "flag"
  | "number"
  | "agent"
  | "files"
  | "text"
  | "email"
  | "secret";

export interface Field<S extends z.ZodType = z.ZodType> {
  control: Control;
  schema: S;
  /** A SQL condition on `value jsonb`, for stored values. Credentials have none, since they are sealed. */
  sql: string;
  isRequired: boolean;
  /** The options to choose from. */
  options?: readonly string[];
  /** The initial value in a new source. */
  preset?: string | number | boolean | readonly string[];
  placeholder?: string;
  /** Set through the API only, not shown in forms. */
  isHidden?: true;
}

const uuid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const origin = String.raw`https?://([a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?`;

/** The URL of a page: printable, without spaces, without a user name or password. */
const page = String.raw`https?://[^[:space:]/@\\]+(/[^[:space:]]*)?`;
/** The start of a path, with stars as wildcards. */
const pathPattern = "[/*][!-~]{0,199}";

const quoteSql = (text: string) => `'${text.replaceAll("'", "''")}'`;
const isText = (pattern: string, most: number) =>
  `private.is_text_like(value, ${quoteSql(`^${pattern}$`)}, ${most})`;
const isList = (pattern: string, most: number) =>
  `private.is_list_of(value, ${quoteSql(`^${pattern}$`)}, ${most})`;

/**
 * The address of a service, stored as its origin: "acme.example.com" and "https://acme.example.com/some/page" both become
 * "https://acme.example.com".
 * @param suffix the required end of the host, unless PARLEY_OUTBOUND_ALLOW names the host
 * @param preset the default address, hidden from the form unless `isShown`
 */
export function address({
  suffix,
  placeholder,
  preset,
  isShown = false,
}: {
  suffix?: string;
  placeholder?: string;
  preset?: string;
  isShown?: boolean;
}) {
  const schema = z
    .string()
    .trim()
    .min(1)
    .max(500)
    .transform((text, context) => {
      const url = urlOf(text);
      const isRight = url && (isAllowedPlace(url) || (url.protocol === "https:" && endsWith(url, suffix)));
      if (isRight) return url.origin;
      const message = suffix ? sentenceOf("addressEnd", { suffix }) : sentenceOf("addressStart");
      context.issues.push({ code: "custom", message, input: text });
      return z.NEVER;
    });
  const field = { control: "address" as const, sql: isText(origin, 500), isRequired: preset === undefined };
  return {
    ...field,
    schema: preset === undefined ? schema : schema.default(preset),
    ...(preset === undefined ? {} : { preset }),
    ...(preset === undefined || isShown ? {} : { isHidden: true as const }),
    ...(placeholder === undefined ? {} : { placeholder }),
  } satisfies Field;
}

/** The optional URL of a page. Credentials belong to its origin. */
export const pageAddress = ({ placeholder }: { placeholder: string }) =>
  ({
    control: "page" as const,
    schema: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .transform((text, context) => {
        const url = urlOf(text);
        if (url && (isAllowedPlace(url) || url.protocol === "https:")) {
          url.hash = "";
          return url.href;
        }
        const message = sentenceOf("addressStart");
        context.issues.push({ code: "custom", message, input: text });
        return z.NEVER;
      })
      .optional(),
    sql: isText(page, 2000),
    isRequired: false,
    placeholder,
  }) satisfies Field;

/** Path patterns, one per line. */
export const paths = ({ most, placeholder }: { most: number; placeholder: string }) => {
  const message = sentenceOf("pathPattern");
  const schema = entries({ pattern: pathPattern, most, message });
  return {
    control: "lines" as const,
    schema,
    sql: isList(pathPattern, most),
    isRequired: false,
    placeholder,
  } satisfies Field;
};

export const wholeNumber = ({ least, most, preset }: { least: number; most: number; preset: number }) =>
  ({
    control: "number" as const,
    schema: z.int().min(least).max(most).default(preset),
    sql: `private.is_whole_number(value, ${least}, ${most})`,
    isRequired: false,
    preset,
  }) satisfies Field;

/** A user name. */
export const login = () =>
  ({
    control: "text" as const,
    schema: z.string().trim().min(1).max(254),
    sql: "",
    isRequired: true,
  }) satisfies Field;

/** A password, as typed. */
export const password = () =>
  ({
    control: "secret" as const,
    schema: z.string().min(1).max(1000),
    sql: "",
    isRequired: true,
  }) satisfies Field;

function urlOf(text: string): URL | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  return url && !url.username && !url.password && url.hostname.includes(".") ? url : undefined;
}

const endsWith = (url: URL, suffix: string | undefined) =>
  suffix === undefined || (url.hostname.endsWith(suffix) && url.port === "");

interface ListOf {
  /** A regular expression for one stored entry, which must mean the same in JavaScript and Postgres. */
  pattern: string;
  most: number;
  /** The minimum number of entries; 0 by default. */
  least?: number;
  message: string;
  placeholder?: string;
  /** Converts an entry to its stored form. */
  keep?: (entry: string) => string;
}

const entries = ({ pattern, most, least = 0, message, keep = (entry) => entry }: ListOf) =>
  z
    .array(
      z
        .string()
        .trim()
        .transform(keep)
        .refine((entry) => new RegExp(`^(?:${pattern})$`).test(entry), message),
    )
    .min(least)
    .max(most)
    // Unlike a default, a prefault is validated: an empty list may be too short.
    .prefault([]);

/** A list of short names, separated by commas. */
export const list = (of: ListOf) =>
  ({
    control: "list" as const,
    schema: entries(of),
    sql: isList(of.pattern, of.most),
    isRequired: (of.least ?? 0) > 0,
    ...(of.placeholder === undefined ? {} : { placeholder: of.placeholder }),
  }) satisfies Field;

/** One or more of the given options. */
export const choices = <const O extends readonly [string, ...string[]]>(
  options: O,
  preset: readonly O[number][],
) =>
  ({
    control: "choices" as const,
    schema: z
      .array(z.enum(options))
      .min(1)
      .max(options.length)
      .default([...preset]),
    sql: isList(`(${options.join("|")})`, options.length),
    isRequired: true,
    options,
    preset,
  }) satisfies Field;

export const flag = (preset = false) =>
  ({
    control: "flag" as const,
    schema: z.boolean().default(preset),
    sql: "jsonb_typeof(value) = 'boolean'",
    isRequired: false,
    preset,
  }) satisfies Field;

/** One of the team's agents. SQL verifies that (private.check_source_agent). */
export const agent = () =>
  ({
    control: "agent" as const,
    schema: z.uuid(),
    sql: isText(uuid, 36),
    isRequired: true,
  }) satisfies Field;

/** Files of the team. SQL verifies that (private.check_source_files). */
export const files = ({ most }: { most: number }) =>
  ({
    control: "files" as const,
    schema: z.array(z.uuid()).max(most).default([]),
    sql: isList(uuid, most),
    isRequired: false,
  }) satisfies Field;

/** A credential that is shown while it is typed. */
export const email = () =>
  ({ control: "email" as const, schema: z.email().max(254), sql: "", isRequired: true }) satisfies Field;

/** A secret for a header: one line of visible characters. */
export const token = () =>
  ({
    control: "secret" as const,
    schema: z
      .string()
      .trim()
      .min(1)
      .max(4000)
      .regex(/^[\x21-\x7e]+$/, sentenceOf("notAToken")),
    sql: "",
    isRequired: true,
  }) satisfies Field;

const pem = z
  .string()
  .max(10_000)
  .regex(/^-----BEGIN PRIVATE KEY-----/);
const secret = z.string().min(1).max(2000);
/** The JSON that Google issues. The URLs in it are ignored. */
const googleKeyShape = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("service_account"),
    client_email: z.email().max(320),
    private_key_id: secret.optional(),
    private_key: pem,
  }),
  z.object({
    type: z.literal("authorized_user"),
    client_id: secret,
    client_secret: secret,
    refresh_token: secret,
  }),
]);
export type GoogleKey = z.infer<typeof googleKeyShape>;

function parsedKey(text: string): GoogleKey | undefined {
  try {
    return googleKeyShape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A Google key as a JSON file: of a service account, or of a person with a refresh token. */
export const googleKey = () =>
  ({
    control: "secret" as const,
    schema: z
      .string()
      .trim()
      .max(20_000)
      .transform((text, context) => {
        const key = parsedKey(text);
        if (key) return JSON.stringify(key);
        const message = sentenceOf("googleDriveKey");
        context.issues.push({ code: "custom", message, input: text });
        return z.NEVER;
      }),
    sql: "",
    isRequired: true,
  }) satisfies Field;

/** Parses a key from its stored form. */
export const googleKeyOf = (kept: string): GoogleKey => googleKeyShape.parse(JSON.parse(kept));
