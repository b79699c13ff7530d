// An agent's tests and its latest runs.
import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Agent } from "#web/request/api-types.ts";
import { teamRef } from "#web/request/current-team.ts";

export type AgentTests = AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}/tests">;
export type AgentTest = AgentTests["data"][number];
export type TestRun = AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}/tests/runs">["data"][number];

export interface TestsData {
  agent: Agent;
  tests: AgentTests;
  runs: TestRun[];
}

export async function data({ request, routeParams }: DataContext): Promise<TestsData> {
  const place = { teamId: teamRef(request), id: routeParams.agentId ?? "" };
  const page = Number(request.url.searchParams.get("page")) || 1;
  const [agent, tests, runs] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/agents/{id}", place),
    request.api.get("/v1/teams/{teamId}/agents/{id}/tests", { ...place, page, perPage: 50 }),
    request.api.get("/v1/teams/{teamId}/agents/{id}/tests/runs", { ...place, perPage: 10 }),
  ]);
  return { agent, tests, runs: runs.data };
}
