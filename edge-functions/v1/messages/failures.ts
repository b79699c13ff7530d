// Owns the error that a failed reply reports to its reader, after its request has been answered. Only those who may change a team's models
// learn what is wrong with one; strangers learn nothing about it.

import { type Claims, readAsCaller } from "../../_shared/database/db.ts";
import { faultOf, ModelError, type ModelFault } from "../../_shared/models/model-errors.ts";
import { log, traceOf } from "../../_shared/operation/log.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { type RefusalCode, refusal } from "../../_shared/requests/refusals.ts";
import { toApiError } from "../problems.ts";

/** Who reads the reply of which team's agent. */
export type Reader = { claims: Claims; teamId: string };

const codes: Record<ModelFault, RefusalCode> = {
  keyRefused: "replyKeyRefused",
  usedUp: "replyUsedUp",
  unknown: "replyModelUnknown",
  refused: "replyRefused",
  tooLong: "replyTooLong",
  badAnswer: "replyBadAnswer",
  unreachable: "replyUnreachable",
  busy: "replyBusy",
  slow: "replySlow",
};
/** Of these whoever asks can do something, and they reveal nothing about the team. */
const passing = new Set<ModelFault>(["busy", "slow", "tooLong"]);

/** The error for the reader. The cause is logged, with the fields that identify the reply. */
export async function failureOf(
  error: unknown,
  about: Record<string, string>,
  reader: Reader,
): Promise<ApiError> {
  const problem = toApiError(error);
  // Errors below 500 are the caller's or the team's, so they are logged as info.
  log(problem.status < 500 ? "info" : "error", "a reply failed", {
    ...about,
    code: problem.code,
    error: traceOf(error),
  });
  const fault = error instanceof ModelError ? faultOf(error) : undefined;
  const { code, extra } = problem;
  const { cause, retryAfterSeconds } = extra;
  if (fault && passing.has(fault))
    return new ApiError(code, refusal(codes[fault]), { cause, retryAfterSeconds });
  if (!fault && code !== "BUDGET_REACHED") return problem;
  const { isMember, mayMend } = await rightsOf(reader);
  if (mayMend) {
    // With the team, for a link to its models.
    const why = refusal(fault ? codes[fault] : "replyBudget", { team: reader.teamId });
    return new ApiError(code, why, { cause });
  }
  if (!isMember) return new ApiError(fault ? code : "UNAVAILABLE", refusal("replyUnavailable"), { cause });
  return fault ? new ApiError(code, refusal("replyAskAdmin"), { cause }) : problem;
}

/** A reader whose rights cannot be read counts as a stranger. */
async function rightsOf({ claims, teamId }: Reader): Promise<{ isMember: boolean; mayMend: boolean }> {
  const stranger = { isMember: false, mayMend: false };
  try {
    const [row] = await readAsCaller(
      claims,
      (tx) => tx<(typeof stranger)[]>`
        select coalesce(${teamId} = any (private.teams_with('agents.read')), false) as is_member,
               coalesce(${teamId} = any (private.teams_with('models.write')), false) as may_mend`,
    );
    return row ?? stranger;
  } catch {
    return stranger;
  }
}
