// A run of an agent's tests with its results, and its task while it runs.
import type { AnswerOf } from "#web/client/api-calls.ts";
import { readTask, type Task } from "#web/client/task-state.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Agent } from "#web/request/api-types.ts";
import { teamRef } from "#web/request/current-team.ts";

export type Run = AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}/tests/runs/{runId}">;
export type Result = Run["results"][number];

export interface RunData {
  agent: Agent;
  run: Run;
  /** Null once the run has ended. */
  task: Task | null;
  /** Whether the run's version is still a draft. */
  isDraft: boolean;
}

export async function data({ request, routeParams }: DataContext): Promise<RunData> {
  const runId = routeParams.runId ?? "";
  const teamId = teamRef(request);
  const place = { teamId, id: routeParams.agentId ?? "" };
  const { get } = request.api;
  const [agent, run] = await Promise.all([
    get("/v1/teams/{teamId}/agents/{id}", place),
    get("/v1/teams/{teamId}/agents/{id}/tests/runs/{runId}", { ...place, runId }),
  ]);
  const isOpen = run.status === "queued" || run.status === "running";
  const path = "/v1/teams/{teamId}/agents/{id}/versions/{versionId}";
  const [task, version] = await Promise.all([
    isOpen && run.taskId ? readTask(get, teamId, run.taskId, request.timeZone) : null,
    get(path, { ...place, versionId: run.versionId }),
  ]);
  return { agent, run, task, isDraft: version.status === "draft" };
}
