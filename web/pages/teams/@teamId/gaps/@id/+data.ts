// One gap, the knowledge bases that its answer can go to, and the task that asks its questions again while it runs.
import type { AnswerOf } from "#web/client/api-calls.ts";
import { isOpen, type Task } from "#web/client/task-state.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { choiceNames } from "#web/request/choices.ts";
import { may, teamRef } from "#web/request/current-team.ts";

export type OneGap = AnswerOf<"GET", "/v1/teams/{teamId}/gaps/{id}">;

export interface GapData {
  gap: OneGap;
  knowledges: { id: string; name: string }[];
  task: Task | null;
}

const JUST_NOW_MS = 10_000;

export async function data({ request, routeParams }: DataContext): Promise<GapData> {
  const { get } = request.api;
  const teamId = teamRef(request);
  const viewer = await request.viewer;
  const readGap = () => get("/v1/teams/{teamId}/gaps/{id}", { teamId, id: routeParams.id ?? "" });
  const gap = await readGap();
  const taskId = gap.again?.taskId;
  const [agent, tasks] = await Promise.all([
    may(viewer, "agents.read")
      ? get("/v1/teams/{teamId}/agents/{id}", { teamId, id: gap.agentId })
      : { knowledgeIds: [] as string[] },
    taskId && may(viewer, "tasks.read")
      ? get("/v1/teams/{teamId}/tasks", { teamId, taskId, timeZone: request.timeZone })
      : null,
  ]);
  const names = await choiceNames("knowledges", request, agent.knowledgeIds);
  const task = tasks?.data[0];
  const hasJustEnded = task?.finishedAt && Date.now() - Date.parse(task.finishedAt) < JUST_NOW_MS;
  return {
    // It may have been read before the task ended, and without an open task nothing refreshes the page.
    gap: hasJustEnded ? await readGap() : gap,
    knowledges: names.map(([id, name]) => ({ id, name })),
    task: task && isOpen(task) ? task : null,
  };
}
