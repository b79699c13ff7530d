// The tasks of every team, newest first.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { filterOf, teamFilter, teamNames } from "../../admin-lists.ts";

export type TasksData = AnswerOf<"GET", "/v1/admin/tasks"> & { teamNames: Record<string, string> };

export async function data({ request }: DataContext): Promise<TasksData> {
  const list = await request.api.get("/v1/admin/tasks", {
    type: filterOf(request, "type"),
    status: filterOf(request, "status"),
    date: filterOf(request, "date"),
    timeZone: request.timeZone,
    teamId: teamFilter(request),
    lastKey: filterOf(request, "lastKey"),
  });
  return { ...list, teamNames: await teamNames(request, list.data) };
}
