// Short names for /v1 responses that many pages read. For any other, use AnswerOf<"GET", "/v1/…"> from api-calls.ts.
import type { AnswerOf } from "../client/api-calls.ts";

type Viewer = AnswerOf<"GET", "/v1/viewer">;
export type User = Viewer["user"];
export type Team = Viewer["teams"][number];
export type InvitedTeam = Viewer["invitations"][number];
export type Role = AnswerOf<"GET", "/v1/roles/{id}">;
export type Agent = AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}">;
export type Knowledge = AnswerOf<"GET", "/v1/teams/{teamId}/knowledges/{id}">;
export type Source = AnswerOf<"GET", "/v1/teams/{teamId}/sources/{id}">;
export type SourceType = AnswerOf<"GET", "/v1/sourceTypes">["data"][number];
export type SourceField = SourceType["settings"][number];
