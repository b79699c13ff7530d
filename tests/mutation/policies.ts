// `npm run mutation -- row-security`: mutates each policy of the database, one small change after the other, and counts the mutants that
// the matrix of tests/sql detects: an actor can do what it denies, or cannot do what it allows.
import type { TransactionSql } from "postgres";
import { installAttempt } from "../sql/acting.ts";
import {
  commandsNamingPermissions,
  deleteRoots,
  findNeedless,
  findReaching,
  type Root,
  roots,
} from "../sql/matrix/conditions.ts";
import { type Command, commands, matrix, type Subject } from "../sql/matrix/index.ts";
import { firstDifference } from "../sql/matrix/tries.ts";
import { makeWorld, type World } from "../sql/world.ts";
import type { Actor } from "../support/actors.ts";
import { startTestPostgres } from "../support/postgres.ts";
import { changesOf } from "./policy-changes.ts";

/** Below it the command fails. */
const LEAST_PERCENT = 80;

class TakenBack extends Error {}

type Policy = { table: string; name: string; command: string; using: string | null; check: string | null };

/** The commands that a policy affects: a changed or deleted row must also be visible. */
const commandsOf = (command: string): readonly Command[] =>
  command === "ALL" || command === "SELECT"
    ? commands
    : commands.filter((one) => one === command.toLowerCase());

/** Each expression with its clauses. One in both clauses is changed in both: otherwise each would cover for the other. */
function expressionsOf({ using, check }: Policy): [clauses: string[], expression: string][] {
  if (using !== null && using === check) return [[["using", "with check"], using]];
  const found: [string[], string][] = [];
  if (using !== null) found.push([["using"], using]);
  if (check !== null) found.push([["with check"], check]);
  return found;
}

async function isNoticed(tx: TransactionSql, world: World, policy: Policy): Promise<boolean> {
  const subjects = matrix.filter(({ table }) => table === policy.table);
  for (const subject of subjects)
    for (const command of commandsOf(policy.command))
      if (await firstDifference(tx, world, subject, command)) return true;
  for (const subject of subjects)
    for (const command of commandsNamingPermissions(subject))
      if (await takeBack(tx, (point) => findNeedless(point, world, subject, command))) return true;
  for (const root of Object.keys(roots) as Root[])
    if (roots[root].tables.includes(policy.table) && (await isSeenBelow(tx, world, root, subjects)))
      return true;
  return false;
}

/** True when somebody reaches a row whose root was deleted. */
async function isSeenBelow(
  tx: TransactionSql,
  world: World,
  root: Root,
  subjects: Subject[],
): Promise<boolean> {
  return await takeBack(tx, async (point) => {
    await deleteRoots(point, world, root);
    const reaching: Actor[] = [];
    for (const subject of subjects) reaching.push(...(await findReaching(point, world, subject)));
    return reaching;
  });
}

/** Runs work and takes it back. @returns whether it found something */
async function takeBack(
  tx: TransactionSql,
  work: (point: TransactionSql) => Promise<unknown[]>,
): Promise<boolean> {
  let isFound = false;
  const tried = tx.savepoint(async (point) => {
    isFound = (await work(point)).length > 0;
    throw new TakenBack();
  });
  await tried.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error;
  });
  return isFound;
}

const database = await startTestPostgres();
const sql = database.connect("postgres", { max: 1 });
const world = await makeWorld(sql);
await installAttempt(sql);
// Names are printed with their schema.
await sql`set search_path = ''`;
const policies = await sql<Policy[]>`
  select schemaname || '.' || tablename as table, policyname as name, cmd as command, qual as using, with_check as check
    from pg_catalog.pg_policies
   where schemaname in ('public', 'private', 'storage') and policyname <> 'estimates are refused' order by 1, 2`;

let noticed = 0;
let changes = 0;
for (const policy of policies) {
  for (const [clauses, expression] of expressionsOf(policy)) {
    for (const { changed, what } of changesOf(expression)) {
      let isSeen = false;
      const tried = sql.begin(async (tx) => {
        const given = clauses.map((clause) => `${clause} (${changed})`).join(" ");
        await tx.unsafe(`alter policy "${policy.name}" on ${policy.table} ${given}`);
        isSeen = await isNoticed(tx, world, policy);
        throw new TakenBack();
      });
      // The matrix would show any other failure too, such as that of a key never checked before.
      await tried.catch((error: unknown) => {
        if (!(error instanceof TakenBack)) isSeen = true;
      });
      changes += 1;
      if (isSeen) noticed += 1;
      else console.log(`${policy.table} · ${policy.name} · ${clauses.join(" and ")}: ${what}`);
    }
  }
}
const percent = (100 * noticed) / changes;
console.log(`row-security ${percent.toFixed(1)} % ${noticed} of ${changes}, of ${policies.length} policies`);
await database.stop();
process.exit(percent < LEAST_PERCENT ? 1 : 0);
