// Owns the limits on answers and searches, which cost a team money: per person, visitor, API key, address, workspace and paying team.
// Counted in Postgres, in windows of a minute. Does not count anything itself.

import { env } from "../env.ts";
import type { ProblemCode } from "../text/sentences.ts";
import type { Caller } from "./auth.ts";
import { addressHits, type ClientAddress, type Hit } from "./limits.ts";

/** The team that owns the agent or knowledge base and pays, and whether the caller is one of its members. */
export type Payer = { teamId: string; isOwn: boolean };

const windowSeconds = 60;
const hit = (key: string, max: number, words: ProblemCode): Hit => ({ key, max, windowSeconds, words });

/**
 * The hits of one answer. Visitors from outside the team, with or without an account, share an allowance apart from its members': they
 * cannot use up the members'.
 */
export function answerHits(caller: Caller, addresses: ClientAddress[], { teamId, isOwn }: Payer): Hit[] {
  const limits = env();
  if (caller.kind === "service") return [];
  const team = hit(`answer:team:${teamId}`, limits.LIMIT_ANSWERS_PER_TEAM, "limitAnswersTeam");
  if (caller.kind === "apiKey") {
    return [hit(`answer:apiKey:${caller.id}`, limits.LIMIT_ANSWERS_PER_API_KEY, "limitAnswersApiKey"), team];
  }
  if (caller.kind === "user" && isOwn) {
    return [hit(`answer:member:${caller.id}`, limits.LIMIT_ANSWERS_PER_MEMBER, "limitAnswersPerson"), team];
  }
  const person =
    caller.kind === "anonymous"
      ? []
      : [hit(`answer:${caller.kind}:${caller.id}`, limits.LIMIT_ANSWERS_PER_VISITOR, "limitAnswersPerson")];
  return [
    ...person,
    ...addressHits(
      "answer:from",
      limits.LIMIT_ANSWERS_PER_ADDRESS,
      windowSeconds,
      addresses,
      "limitAnswersAddress",
    ),
    hit(`answer:public:${teamId}`, limits.LIMIT_ANSWERS_PER_PUBLIC_AGENTS, "limitAnswersTeam"),
  ];
}

/** The hits of one answer in Slack. It counts against the team's own allowance. */
export function slackAnswerHits(workspaceId: string, person: string, teamId: string): Hit[] {
  const limits = env();
  return [
    hit(`slack:person:${workspaceId}:${person}`, limits.LIMIT_ANSWERS_PER_VISITOR, "limitAnswersPerson"),
    hit(`slack:workspace:${workspaceId}`, limits.LIMIT_ANSWERS_PER_WORKSPACE, "limitAnswersTeam"),
    hit(`answer:team:${teamId}`, limits.LIMIT_ANSWERS_PER_TEAM, "limitAnswersTeam"),
  ];
}

/** The hits of one search. Only a team's members and API keys may search its knowledge bases. */
export function searchHits(caller: Caller, teamIds: string[]): Hit[] {
  const limits = env();
  if (caller.kind !== "user" && caller.kind !== "apiKey") return [];
  const key = `search:${caller.kind}:${caller.id}`;
  const person =
    caller.kind === "user"
      ? hit(key, limits.LIMIT_SEARCHES_PER_MEMBER, "limitSearchesPerson")
      : hit(key, limits.LIMIT_SEARCHES_PER_API_KEY, "limitSearchesApiKey");
  const teams = teamIds.map((id) =>
    hit(`search:team:${id}`, limits.LIMIT_SEARCHES_PER_TEAM, "limitSearchesTeam"),
  );
  return [person, ...teams];
}
