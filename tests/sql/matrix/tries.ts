// Tries a cell of the matrix in SQL: who can run a command on a subject's row. Rolls its effects back.
import type { Sql } from "postgres";
import { type Actor, actors, claimsOf } from "../../support/actors.ts";
import { type Attempt, attemptAs } from "../acting.ts";
import type { World } from "../world.ts";
import { actorsAllowed, type Command, type Subject } from "./cells.ts";

/** The condition that finds a subject's row; compared as text, so that every key has one form. */
export function finding(subject: Subject, world: World): string {
  const quote = (value: string) => `'${value.replaceAll("'", "''")}'`;
  return Object.entries(subject.key(world))
    .map(([column, value]) => `t.${column}::text = ${quote(value)}`)
    .join(" and ");
}

/** The callers whose attempt had the outcome; both lists are in one order. */
const whoHas = (attempts: Attempt[], callers: readonly Actor[], has: (attempt: Attempt) => boolean) =>
  callers.filter((_caller, at) => {
    const made = attempts[at];
    return made !== undefined && has(made);
  });

const isChanged = ({ before, after }: Attempt) => JSON.stringify(before) !== JSON.stringify(after);

/**
 * Finds the actors whose command has an effect.
 * @param sql a connection, or a transaction, as the superuser, with `matrix.attempt`
 */
export async function findAble(
  sql: Pick<Sql, "unsafe">,
  world: World,
  subject: Subject,
  command: Command,
  those: readonly Actor[] = actors,
): Promise<Actor[]> {
  const { table } = subject;
  const found = finding(subject, world);
  const row = `${table} t where ${found}`;
  const given = `jsonb_populate_record(null::${table}, $1::jsonb) r`;
  const claims = those.map((actor) => claimsOf(actor, world));
  const ableBy = async (
    has: (attempt: Attempt) => boolean,
    statement: string,
    values: unknown = null,
    look = row,
  ) => whoHas(await attemptAs(sql, claims, statement, values, look), those, has);
  switch (command) {
    case "select":
      return ableBy(({ affected }) => affected > 0, `select 1 from ${row}`);
    case "insert": {
      const values = subject.insert.row(world);
      const names = Object.keys(values).join(", ");
      const statement = `insert into ${table} (${names}) select ${names} from ${given}`;
      return ableBy(({ before, after }) => after.length > before.length, statement, values, `${table} t`);
    }
    case "update": {
      const values = subject.update.to(world);
      const changes = Object.keys(values).map((column) => `${column} = r.${column}`);
      return ableBy(
        isChanged,
        `update ${table} t set ${changes.join(", ")} from ${given} where ${found}`,
        values,
      );
    }
    case "delete":
      return ableBy(({ after }) => after.length === 0, `delete from ${row}`);
  }
}

/**
 * Updates, or deletes, every row that an actor can, without reading any: Postgres then applies no select policy. An actor with rows of
 * their own may fail on references to those.
 * @returns the actors that reached the subject's row
 */
export async function findSweeping(
  sql: Pick<Sql, "unsafe">,
  world: World,
  subject: Subject,
  command: "update" | "delete",
  those: Actor[],
): Promise<Actor[]> {
  const { table } = subject;
  const values = subject.update.to(world);
  const changes = Object.keys(values).map((column) => `${column} = r.${column}`);
  const statement =
    command === "delete"
      ? `delete from ${table}`
      : `update ${table} set ${changes.join(", ")} from jsonb_populate_record(null::${table}, $1::jsonb) r`;
  const row = `${table} t where ${finding(subject, world)}`;
  const claims = those.map((actor) => claimsOf(actor, world));
  return whoHas(await attemptAs(sql, claims, statement, values, row, true), those, isChanged);
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
  const allowed = actorsAllowed(subject, command);
  const able = await findAble(sql, world, subject, command);
  const different = actors.find((actor) => able.includes(actor) !== allowed.includes(actor));
  if (different || command === "select" || command === "insert") return different;
  const [sweeping] = await findSweeping(sql, world, subject, command, mayNotSweep(subject, command));
  return sweeping;
}
