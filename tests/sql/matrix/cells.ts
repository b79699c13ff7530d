// Owns the matrix's vocabulary: a subject, its cells, and groups of actors that many cells name.
import { type Actor, actors, holding } from "../../support/actors.ts";
import type { World } from "../world.ts";

export const commands = ["select", "insert", "update", "delete"] as const;
export type Command = (typeof commands)[number];

export type Row = Record<string, unknown>;

export interface Subject {
  /** With its schema. */
  table: string;
  /** What the row is, for a reader. */
  row: string;
  /** The columns that identify the row. */
  key: (world: World) => Record<string, string>;
  select: readonly Actor[];
  /** A new row beside this one, and who may insert it. */
  insert: { row: (world: World) => Row; by: readonly Actor[] };
  /** A change of this row, and who may make it. */
  update: { to: (world: World) => Row; by: readonly Actor[] };
  delete: readonly Actor[];
  /** Who can delete it within everything they may delete, without seeing it; nobody by default. */
  deleteUnseen?: readonly Actor[];
}

/** Who may run a command on a subject. */
export function actorsAllowed(subject: Subject, command: Command): readonly Actor[] {
  const cell = subject[command];
  return "by" in cell ? cell.by : cell;
}

export const nobody: readonly Actor[] = [];
const strangers: readonly Actor[] = [
  "banned",
  "revoked API key",
  "visitor",
  "visitor through an app",
  "anonymous",
];
export const loggedIn = actors.filter((actor) => !strangers.includes(actor));
export const persons = loggedIn.filter((actor) => actor !== "API key" && actor !== "answering agent");
export const theOutsider: readonly Actor[] = ["outsider", "outsider claiming to be a platform admin"];
export const atWork: Actor = "platform admin at work";
/** The viewer's role has more permissions than the custom role, which therefore cannot assign it. */
export const mayGrantAnyButOwner = holding("users.write", "sources.read");
export const mayGrantOwner = holding("users.write", "team.delete");
export const readsEveryChat = holding("chats.read");
