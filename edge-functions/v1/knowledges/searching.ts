// Owns the admission of a search: what it needs is read, and the search is counted, in one message to Postgres. Does not search.
import { askThenServe, type TeamCall } from "../../_shared/database/db.ts";
import type { StoredModels } from "../../_shared/models/model-connections.ts";
import type { Caller } from "../../_shared/requests/auth.ts";
import { fullLimitOf, hitsOfPayer, payerArguments } from "../../_shared/requests/limits.ts";
import { searchHits } from "../../_shared/requests/usage-limits.ts";
import type { Space } from "../../answering/retrieve.ts";
import { requireRow } from "../router.ts";

type Searched = { teamId: string } & (Space | { id: null });

/**
 * Admits a search of a knowledge base and counts it.
 * @throws ApiError NOT_FOUND for a knowledge base that the caller cannot see in that team; RATE_LIMITED
 */
export async function beginSearch(caller: Caller, knowledgeId: string, team: TeamCall) {
  const counted = hitsOfPayer(({ teamId, isOwn }) => (isOwn ? searchHits(caller, [teamId]) : []));
  try {
    const [searched, served] = await askThenServe<Searched, { stored: StoredModels }>(
      caller.claims,
      {
        ask: (tx, asked) => tx<Searched[]>`select * from private.searched_space(${asked}, ${knowledgeId})`,
        serve: (tx) => tx<{ stored: StoredModels }[]>`
          select private.models_of(t.id) as stored, private.take_hits_of_payer(${payerArguments(tx, counted)}, t.id, true)
            from (select current_setting('request.team')::uuid as id) t`,
      },
      team,
    );
    const { teamId, ...space } = requireRow(searched);
    return { teamId, spaces: space.id === null ? [] : [space], stored: requireRow(served).stored };
  } catch (error) {
    throw fullLimitOf(counted, error) ?? error;
  }
}
