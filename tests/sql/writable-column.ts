// Owns the description of a column that a client may write.
import type { HostileClass } from "../support/hostile-values.ts";

/** The hostile values that a column may store; all others are rejected. */
export const keeps = {
  /** One line that people read: any visible text. */
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
    "inherited",
    "prototype",
  ],
  /** Several lines that people, or a model, read. */
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
    "inherited",
    "prototype",
  ],
  /** An enum, or an id of the caller's team. */
  nothing: [],
  number: ["zero"],
  flag: ["wrongType", "zero"],
  slug: ["wrongType", "wrongEnum", "number", "zero", "time", "inherited"],
  list: [],
  link: ["inside"],
} as const satisfies Record<string, readonly HostileClass[]>;

export interface WritableColumn {
  /** Who, or what, acts on its value. */
  actsOnIt: string;
  /** Names of constraints and triggers of the table; "rls" where its policies decide. */
  heldBy: string;
  keeps: keyof typeof keeps;
  /** Further values that this column stores, and why they are harmless. */
  alsoKeeps?: Partial<Record<HostileClass, string>>;
  /** An array: each value is tried as its only element. */
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
