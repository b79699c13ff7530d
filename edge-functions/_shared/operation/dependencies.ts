// Owns the health check of each dependency of the functions. Must not change anything there.
import { asService } from "../database/db.ts";
import { env } from "../env.ts";
import { checkMailServer } from "../mail/mail.ts";
import { platformHeaders } from "../requests/platform-keys.ts";
import { type Check, requireAnswer, type State, statesOf } from "./readiness.ts";

/** Without these no request can be served. */
export const vital: Record<string, Check> = {
  database: () => asService((tx) => tx`select 1`),
  storage: () => requireAnswer(`${env().SUPABASE_INTERNAL_URL}/storage/v1/bucket`, platformHeaders()),
};

const all: Record<string, Check> = {
  ...vital,
  auth: () => requireAnswer(`${env().SUPABASE_INTERNAL_URL}/auth/v1/health`, platformHeaders()),
  models: () => {
    const { OPENAI_BASE_URL, OPENAI_API_KEY } = env();
    return requireAnswer(`${OPENAI_BASE_URL ?? "https://api.openai.com/v1"}/models`, {
      Authorization: `Bearer ${OPENAI_API_KEY ?? ""}`,
    });
  },
  mail: checkMailServer,
};

/** The status of every dependency, checked in parallel. */
export function checkDependencies(): Promise<Record<string, State>> {
  return statesOf(all);
}
