// Owns the default name of a knowledge base: that of its first source, or of its team.
import type { Transaction } from "../../_shared/database/db.ts";
import { requireRow } from "../router.ts";
import type { KnowledgeUpdate } from "./schema.ts";

const longestName = 200;

/** A name that no other knowledge base of the team has, as far as the caller can see them. */
export async function nameFor(
  tx: Transaction,
  teamId: string,
  { sourceIds = [] }: KnowledgeUpdate,
): Promise<string> {
  const [row] = await tx<{ name: string; taken: string[] }[]>`
    select n.name, array(select k.name from public.knowledges k
                          where k.team_id = ${teamId} and starts_with(k.name, left(n.name, ${longestName - 10}))) as taken
      from (select coalesce((select s.name from public.sources s where s.team_id = t.id and s.id = ${sourceIds[0] ?? null}), t.name)
              from public.teams t where t.id = ${teamId}) n (name)`;
  const { name, taken } = requireRow(row);
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number += 1) {
    const next = `${name.slice(0, longestName - 10)} ${number}`;
    if (!taken.includes(next)) return next;
  }
}
