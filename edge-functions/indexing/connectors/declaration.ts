// Owns a connector's declaration, the single source for the API, the checks in Postgres, the forms, the docs and the import of
// teams. Its texts are in locales/CODE/source-TYPE.json. Pure.
import { z } from "zod";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import type { Field } from "./fields.ts";

export type Fields = Record<string, Field>;
type Schemas<F extends Fields> = { [Name in keyof F]: F[Name]["schema"] };

export const schedules = ["manual", "hourly", "daily", "weekly"] as const;
type Schedule = (typeof schedules)[number];

export interface Declaration<S extends Fields = Fields, C extends Fields = Fields> {
  /** The type of the source and of its documents. Never changes. */
  type: string;
  /** The name in sentences for developers. */
  name: string;
  /** The icon: path data of a 24 by 24 drawing, stroked. */
  icon: string;
  /** Where the content is: the team's own rows and files, or an external service. */
  origin: "team" | "service";
  settings: S;
  credentials: C;
  /** Whether the form asks for credentials. */
  login: "never" | "optional" | "required";
  /**
   * The settings with the addresses that the credentials belong to. At least one is set, and all that are set have one origin.
   * Changing the value of one deletes the credentials.
   */
  addresses: readonly string[];
  /** The schedules to choose from; none for sources that are read on their own changes only. */
  schedules: readonly Schedule[];
  /** What is read, as keys of its texts under `reads`, in reading order. What is not read is under `not`. */
  reads: readonly string[];
  /** The kinds of its documents and preview lines, as keys of its texts under `kinds`. */
  kinds: readonly string[];
}

/** The part of a declaration that a config's form is built from. */
export type Settings<S extends Fields> = Pick<Declaration<S>, "settings" | "addresses">;

/** Preserves the fields' own types, from which the types of the config and the credentials derive. */
export const declare = <S extends Fields, C extends Fields>(
  declaration: Declaration<S, C> & { addresses: readonly (keyof S & string)[] },
): Declaration<S, C> => declaration;

const shapeOf = <F extends Fields>(fields: F) =>
  // Each field keeps its schema under its own name.
  z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as Schemas<F>,
  );

/** The schema of the settings of the connector's sources. */
export const configSchema = <S extends Fields>({ settings, addresses }: Settings<S>) =>
  shapeOf(settings).superRefine((config, context) => {
    const [first] = addresses;
    if (first === undefined) return;
    const values = config as Record<string, unknown>;
    const given = addresses.filter((name) => values[name] !== undefined);
    if (given.length === 0)
      context.addIssue({ code: "custom", message: sentenceOf("addressNone"), path: [first] });
    const origins = given.map((name) => URL.parse(String(values[name]))?.origin);
    const other = given.find((_name, at) => origins[at] !== origins[0]);
    if (other) context.addIssue({ code: "custom", message: sentenceOf("addressHosts"), path: [other] });
  });
export const credentialsSchema = <C extends Fields>({ credentials }: { credentials: C }) =>
  shapeOf(credentials);

export type ConfigOf<D extends Declaration> = z.infer<ReturnType<typeof configSchema<D["settings"]>>>;
