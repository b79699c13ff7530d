// Short names for the answers of /v1 that many pages read. Everything else: AnswerOf<"GET", "/v1/…"> of api-calls.ts.
import type { AnswerOf } from "../browser/api-calls.ts";

export type User = AnswerOf<"GET", "/v1/auth/me">;
export type Team = AnswerOf<"GET", "/v1/teams/{id}">;
export type InvitedTeam = AnswerOf<"GET", "/v1/teams/pending-invites">["data"][number];
export type Role = AnswerOf<"GET", "/v1/roles/{id}">;
export type Agent = AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}">;
export type Knowledge = AnswerOf<"GET", "/v1/teams/{teamId}/knowledges/{id}">;
export type Source = AnswerOf<"GET", "/v1/teams/{teamId}/sources/{id}">;
