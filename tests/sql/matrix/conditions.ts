// Tries cells of the matrix under other conditions: for a role that lacks one permission, and once what a row hangs on was deleted. Rolls
// nothing back: callers do.
import type { Sql } from "postgres";
import { type Actor, permissionsFor } from "../../support/actors.ts";
import { type Permission, permissions } from "../../support/permissions.ts";
import type { World } from "../world.ts";
import { actorsAllowed, type Command, commands, type Subject } from "./cells.ts";
import { findAble } from "./tries.ts";

type Superuser = Pick<Sql, "unsafe">;

/** Its holder reads and leaves it without any permission. */
const ownMembership = "the membership of the one with a custom role";

export const commandsNamingPermissions = (subject: Subject): Command[] =>
  subject.row === ownMembership
    ? []
    : commands.filter((command) => permissionsFor(actorsAllowed(subject, command)).length > 0);

/** True when a role of exactly these permissions reaches the row. */
async function isAble(
  sql: Superuser,
  world: World,
  [subject, command]: [Subject, Command],
  held: readonly Permission[],
): Promise<boolean> {
  await sql.unsafe("update public.roles set permissions = $1::text[] where id = $2", [
    `{${held.join(",")}}`,
    world.customRole,
  ]);
  return (await findAble(sql, world, subject, command, ["custom role"])).length > 0;
}

/** The permissions that a cell names and does not need: a role with all others reaches the row. */
export async function findNeedless(
  sql: Superuser,
  world: World,
  subject: Subject,
  command: Command,
): Promise<Permission[]> {
  const needless: Permission[] = [];
  for (const one of permissionsFor(actorsAllowed(subject, command))) {
    const others = permissions.filter((other) => other !== one);
    if (await isAble(sql, world, [subject, command], others)) needless.push(one);
  }
  return needless;
}

/** True when a role with every permission reaches the row. */
export const isReachedByAll = (sql: Superuser, world: World, subject: Subject, command: Command) =>
  isAble(sql, world, [subject, command], permissions);

const ofKnowledge = [
  "public.document_indexes",
  "public.chunks",
  "public.chunk_words",
  "public.chunk_embeddings",
  "public.document_tables",
  "public.table_rows",
];

/** What is deleted before its rows are (sql/19_roots.sql): those of a world, and the tables of such rows. */
export const roots = {
  agents: {
    ids: ({ agent, publicAgent }: World) => [agent, publicAgent],
    tables: ["public.chats", "public.messages", "public.gap_questions", "public.handovers"],
  },
  knowledges: {
    ids: ({ knowledge, otherKnowledge }: World) => [knowledge, otherKnowledge],
    tables: ofKnowledge,
  },
  sources: {
    ids: ({ source, otherSource }: World) => [source, otherSource],
    tables: ["public.documents", ...ofKnowledge],
  },
};
export type Root = keyof typeof roots;

/** Deletes them as if very many rows hung on each, so that the rows are still there. */
export async function deleteRoots(sql: Superuser, world: World, root: Root): Promise<void> {
  // A grouped question is deleted with its gap.
  await sql.unsafe("update public.gap_questions set gap_id = null, is_leader = false where team_id = $1", [
    world.team,
  ]);
  for (const id of roots[root].ids(world)) {
    await sql.unsafe("select set_config('parley.kept', $1, true)", [`${id} in place`]);
    await sql.unsafe(`delete from public.${root} where id = $1`, [id]);
  }
}

/** Who sees the row of a deleted root, or writes into its chat. */
export async function findReaching(sql: Superuser, world: World, subject: Subject): Promise<Actor[]> {
  const seeing = await findAble(sql, world, subject, "select");
  const isWritten = subject.table === "public.messages";
  return isWritten ? [...seeing, ...(await findAble(sql, world, subject, "insert"))] : seeing;
}
