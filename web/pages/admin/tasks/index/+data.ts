// The tasks of every team, newest first.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../browser/api-calls.ts";
import { filterOf, teamFilter, teamNames } from "../../../../server/admin-lists.ts";

export type TasksData = AnswerOf<"GET", "/v1/admin/tasks"> & { teamNames: Record<string, string> };

export async function data({ request }: PageContextServer): Promise<TasksData> {
  const list = await request.api.get("/v1/admin/tasks", {
    type: filterOf(request, "type"),
    status: filterOf(request, "status"),
    date: filterOf(request, "date"),
    teamId: teamFilter(request),
    lastKey: filterOf(request, "lastKey"),
  });
  return { ...list, teamNames: await teamNames(request, list.data) };
}
