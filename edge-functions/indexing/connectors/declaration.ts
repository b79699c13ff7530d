// What a connector says of itself, once: the API, the checks in Postgres, the forms, the docs and the import of teams are made of
// it. Its words are in locales/CODE/source-TYPE.json. Pure.
import { z } from "zod";
import type { Field } from "./fields.ts";

export type Fields = Record<string, Field>;
type Schemas<F extends Fields> = { [Name in keyof F]: F[Name]["schema"] };

export const schedules = ["manual", "hourly", "daily", "weekly"] as const;
type Schedule = (typeof schedules)[number];

export interface Declaration<S extends Fields = Fields, C extends Fields = Fields> {
  /** The source's type, and the type of the documents that are made of it. It stays as it is for ever. */
  type: string;
  /** What it is called in sentences for developers. */
  name: string;
  /** A drawing of 24 by 24, as the data of a path that is stroked. */
  icon: string;
  /** Where its content is: the team's own rows and files, or a service that is called. */
  origin: "team" | "service";
  settings: S;
  credentials: C;
  /** Whether credentials are asked for. */
  login: "never" | "optional" | "required";
  /**
   * The settings whose addresses the credentials belong to. At least one is given, and all that are given are of one origin. Another
   * value of one of them drops the credentials.
   */
  addresses: readonly string[];
  /** How often it may be read by itself; none for what is read again by its own changes alone. */
  schedules: readonly Schedule[];
  /** What is read, as keys of its words below `reads`, in reading order. What is not is `not`. */
  reads: readonly string[];
  /** Its documents and its preview tell these apart, as keys of its words below `kinds`. */
  kinds: readonly string[];
}

/** What the form of a config is made of. */
export type Settings<S extends Fields> = Pick<Declaration<S>, "settings" | "addresses">;

/** Keeps the fields' own types, of which those of the config and of the credentials are made. */
export const declare = <S extends Fields, C extends Fields>(
  declaration: Declaration<S, C> & { addresses: readonly (keyof S & string)[] },
): Declaration<S, C> => declaration;

const shapeOf = <F extends Fields>(fields: F) =>
  // Each field keeps its schema under its own name.
  z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as Schemas<F>,
  );

/** What a source of the connector is set up with. */
export const configSchema = <S extends Fields>({ settings, addresses }: Settings<S>) =>
  shapeOf(settings).superRefine((config, context) => {
    const [first] = addresses;
    if (first === undefined) return;
    const values = config as Record<string, unknown>;
    const given = addresses.filter((name) => values[name] !== undefined);
    if (given.length === 0)
      context.addIssue({ code: "custom", message: "Enter at least one address.", path: [first] });
    const origins = given.map((name) => URL.parse(String(values[name]))?.origin);
    const other = given.find((_name, at) => origins[at] !== origins[0]);
    if (other)
      context.addIssue({ code: "custom", message: "Enter addresses of the same host.", path: [other] });
  });
export const credentialsSchema = <C extends Fields>({ credentials }: { credentials: C }) =>
  shapeOf(credentials);

export type ConfigOf<D extends Declaration> = z.infer<ReturnType<typeof configSchema<D["settings"]>>>;
