// Owns what tasks that ask an agent have in common: the rate limits, since each answer counts against those of the person or key that the
// task works for, and of the team; and what ends their asking. Does not ask the agent.
import { asCaller, type Claims } from "../../_shared/database/db.ts";
import { ModelError } from "../../_shared/models/model-errors.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { hitArguments } from "../../_shared/requests/limits.ts";
import { answerHits } from "../../_shared/requests/usage-limits.ts";
import { PutDown, type StepContext } from "./context.ts";

/** True when the provider or the budget refuses. Stored answers stay; a person decides whether to ask again. */
export const refusesAnswers = (error: unknown): error is ModelError | ApiError =>
  (error instanceof ApiError && error.code === "BUDGET_REACHED") ||
  (error instanceof ModelError && error.kind === "refused");

/** True when the model's answer was unreadable, or too long for it, which is an answer too: a bad one. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof ModelError && (error.kind === "bad_answer" || error.kind === "too_long");

type Asker = { teamId: string; createdBy: string | null; apiKeyId: string | null };

export function claimsOf({ createdBy, apiKeyId, teamId }: Asker): Claims | undefined {
  if (createdBy) return { role: "authenticated", sub: createdBy };
  return apiKeyId ? { role: "authenticated", api_key_id: apiKeyId, team_id: teamId } : undefined;
}

/** True when the key was revoked, or lost the people whose rights it has. A person without rights reads nothing instead. */
export const isRevoked = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "NOT_AUTHENTICATED";

/** True when the person or key may still edit the team's agents and read its knowledge bases. */
export async function mayTest(claims: Claims, teamId: string): Promise<boolean> {
  try {
    const [row] = await asCaller(
      claims,
      (tx) => tx<{ may: boolean }[]>`
        select ${teamId} = any ((select private.teams_with('agents.write'))::uuid[])
           and ${teamId} = any ((select private.teams_with('knowledges.read'))::uuid[]) as may`,
    );
    return row?.may ?? false;
  } catch (error) {
    if (isRevoked(error)) return false;
    throw error;
  }
}

/** Counts the answer. When a limit is reached, puts the task down until the limit allows another. @throws PutDown */
export async function takeTurn(
  { claim }: StepContext,
  { teamId, createdBy, apiKeyId }: Asker,
): Promise<void> {
  const claims: Claims = { role: "service_role" };
  const caller = createdBy
    ? {
        kind: "user" as const,
        id: createdBy,
        claims: { role: "authenticated" as const, sub: createdBy },
        token: "",
      }
    : { kind: "apiKey" as const, id: apiKeyId ?? "", teamId, claims };
  const hits = answerHits(caller, [], { teamId, isOwn: true });
  const [full] = await claim.write(
    (tx) => tx<{ seconds: number }[]>`
      select t.seconds from private.take_hits(${hitArguments(tx, hits)}) t order by t.seconds desc limit 1`,
  );
  if (!full) return;
  const until = new Date(Date.now() + full.seconds * 1000).toISOString();
  claim.report({ code: "waitingForAnswers", params: { until } });
  throw new PutDown(full.seconds);
}
