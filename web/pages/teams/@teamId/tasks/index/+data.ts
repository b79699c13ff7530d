// The team's tasks, newest first, filtered by type and state.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export type TasksData = AnswerOf<"GET", "/v1/teams/{teamId}/tasks">;
export type TaskRow = TasksData["data"][number];

export async function data({ request }: PageContextServer): Promise<TasksData> {
  const { searchParams } = request.url;
  const read = (name: string) => searchParams.get(name) ?? undefined;
  return await request.api.get("/v1/teams/{teamId}/tasks", {
    teamId: currentTeam(request).id,
    type: read("type"),
    status: read("status"),
    date: read("date"),
    taskId: read("taskId"),
    lastKey: read("lastKey"),
  });
}
