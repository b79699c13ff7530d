// The team's tasks, newest first, filtered by type and state.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export type TasksData = AnswerOf<"GET", "/v1/teams/{teamId}/tasks">;
export type TaskRow = TasksData["data"][number];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function data({ request }: PageContextServer): Promise<TasksData> {
  const { searchParams } = request.url;
  // An address may have been typed: what no task can have is no filter, but an id that is none matches nothing.
  const read = (name: string, form: RegExp) => {
    const value = searchParams.get(name)?.trim() ?? "";
    return form.test(value) ? value : undefined;
  };
  const taskId = searchParams.get("taskId")?.trim();
  if (taskId && !uuid.test(taskId)) return { data: [], lastKey: null };
  return await request.api.get("/v1/teams/{teamId}/tasks", {
    teamId: currentTeam(request).id,
    type: read("type", /^(index|loadDocuments|sync)$/),
    status: read("status", /^(queued|running|waiting|stopping|stopped|succeeded|failed)$/),
    date: read("date", /^\d{4}-\d\d-\d\d$/),
    taskId: taskId || undefined,
    lastKey: searchParams.get("lastKey") ?? undefined,
  });
}
