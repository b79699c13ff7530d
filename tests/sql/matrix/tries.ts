// Tries a cell of the matrix in SQL: whether an actor can run a command on a subject's row. Rolls its effects back.
import type { Sql } from "postgres";
import { type Actor, actors, claimsOf } from "../../support/actors.ts";
import { attempt } from "../acting.ts";
import type { World } from "../world.ts";
import { actorsAllowed, type Command, type Subject } from "./cells.ts";

/** The condition that finds a subject's row; compared as text, so that every key has one form. */
export function finding(subject: Subject, world: World): string {
  const quote = (value: string) => `'${value.replaceAll("'", "''")}'`;
  return Object.entries(subject.key(world))
    .map(([column, value]) => `t.${column}::text = ${quote(value)}`)
    .join(" and ");
}

/** @param sql a connection, or a transaction, as the superuser, with `matrix.attempt` */
export async function succeeds(
  sql: Pick<Sql, "unsafe">,
  world: World,
  subject: Subject,
  command: Command,
  actor: Actor,
): Promise<boolean> {
  const { table } = subject;
  const found = finding(subject, world);
  const row = `${table} t where ${found}`;
  const given = `jsonb_populate_record(null::${table}, $1::jsonb) r`;
  const claims = claimsOf(actor, world);
  switch (command) {
    case "select":
      return (await attempt(sql, claims, `select 1 from ${row}`, null, row)).affected > 0;
    case "insert": {
      const values = subject.insert.row(world);
      const names = Object.keys(values).join(", ");
      const statement = `insert into ${table} (${names}) select ${names} from ${given}`;
      const { before, after } = await attempt(sql, claims, statement, values, `${table} t`);
      return after.length > before.length;
    }
    case "update": {
      const values = subject.update.to(world);
      const changes = Object.keys(values).map((column) => `${column} = r.${column}`);
      const statement = `update ${table} t set ${changes.join(", ")} from ${given} where ${found}`;
      const { before, after } = await attempt(sql, claims, statement, values, row);
      return JSON.stringify(before) !== JSON.stringify(after);
    }
    case "delete":
      return (await attempt(sql, claims, `delete from ${row}`, null, row)).after.length === 0;
  }
}

/**
 * Updates, or deletes, every row that the actor can, without reading any: Postgres then applies no select policy. An actor with rows of
 * their own may fail on references to those.
 * @returns whether the subject's row was among them
 */
export async function sweeps(
  sql: Pick<Sql, "unsafe">,
  world: World,
  subject: Subject,
  command: "update" | "delete",
  actor: Actor,
): Promise<boolean> {
  const { table } = subject;
  const values = subject.update.to(world);
  const changes = Object.keys(values).map((column) => `${column} = r.${column}`);
  const statement =
    command === "delete"
      ? `delete from ${table}`
      : `update ${table} set ${changes.join(", ")} from jsonb_populate_record(null::${table}, $1::jsonb) r`;
  const row = `${table} t where ${finding(subject, world)}`;
  const { before, after } = await attempt(sql, claimsOf(actor, world), statement, values, row, true);
  return JSON.stringify(before) !== JSON.stringify(after);
}

/** Who must not reach a row that way. */
export function mayNotSweep(subject: Subject, command: "update" | "delete"): Actor[] {
  const able = [
    ...actorsAllowed(subject, command),
    ...((command === "delete" && subject.deleteUnseen) || []),
  ];
  return actors.filter((actor) => !able.includes(actor));
}

/** The first actor on whom matrix and database disagree; undefined when they agree. */
export async function firstDifference(
  sql: Pick<Sql, "unsafe">,
  world: World,
  subject: Subject,
  command: Command,
): Promise<Actor | undefined> {
  const able = actorsAllowed(subject, command);
  for (const actor of actors) {
    const isAble = able.includes(actor);
    if ((await succeeds(sql, world, subject, command, actor)) !== isAble) return actor;
  }
  if (command === "update" || command === "delete")
    for (const actor of mayNotSweep(subject, command))
      if (await sweeps(sql, world, subject, command, actor)) return actor;
  return undefined;
}
