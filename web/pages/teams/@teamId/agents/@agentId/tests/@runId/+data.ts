// A run of an agent's tests with its results, and its task while it goes on.
import type { AnswerOf } from "#web/browser/api-calls.ts";
import { readTask, type Task } from "#web/browser/task-state.ts";
import { NotFound } from "#web/renderer/outcome.ts";
import type { DataContext } from "#web/renderer/page-definition.ts";
import type { Agent } from "#web/server/api-types.ts";
import { teamRef } from "#web/server/current-team.ts";

export type Run = AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}/tests/runs/{runId}">;
export type Result = Run["results"][number];

export interface RunData {
  agent: Agent;
  run: Run;
  /** Null once the run is over. */
  task: Task | null;
  /** Whether the run's version is a draft still. */
  isDraft: boolean;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function data({ request, routeParams }: DataContext): Promise<RunData | NotFound> {
  const runId = routeParams.runId ?? "";
  if (!uuid.test(runId)) return new NotFound();
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
