// What is said of a column that a client may write.
import type { HostileClass } from "../support/hostile-values.ts";

/** What a column may keep of the hostile values; everything else is refused. */
export const keeps = {
  /** One line that people read: anything that can be read, and is nothing else. */
  name: [
    "traversal",
    "wrongType",
    "wrongEnum",
    "number",
    "zero",
    "time",
    "inside",
    "scheme",
    "markup",
    "formula",
    "template",
    "sql",
    "prototype",
  ],
  /** Many lines that people, or a model, read. */
  prose: [
    "traversal",
    "wrongType",
    "nothing",
    "wrongEnum",
    "control",
    "bidi",
    "invisible",
    "number",
    "zero",
    "time",
    "inside",
    "scheme",
    "markup",
    "formula",
    "formulaBehindControl",
    "header",
    "template",
    "sql",
    "prototype",
  ],
  /** One of few words, or an id that the caller's team has. */
  nothing: [],
  number: ["zero"],
  flag: ["wrongType", "zero"],
  slug: ["wrongType", "wrongEnum", "number", "zero", "time"],
  list: [],
  link: ["inside"],
} as const satisfies Record<string, readonly HostileClass[]>;

export interface WritableColumn {
  /** Who, or what, does something because of it. */
  actsOnIt: string;
  /** Names of constraints and triggers of the table; "rls" where its policies decide. */
  heldBy: string;
  keeps: keyof typeof keeps;
  /** More that this column keeps, and why that is harmless. */
  alsoKeeps?: Partial<Record<HostileClass, string>>;
  /** An array: each value stands in it alone. */
  isArray?: true;
}

export const column = (
  actsOnIt: string,
  heldBy: string,
  kept: keyof typeof keeps,
  more: Partial<WritableColumn> = {},
) => ({
  actsOnIt,
  heldBy,
  keeps: kept,
  ...more,
});

export const team = (table: string) =>
  column("policies: whose row it is", `rls ${table}_team_id_fkey`, "nothing");
export const name = (table: string, of = "name") =>
  column("nothing: shown", `${table}_${of}_check ${table}_${of}_plain`, "name");
