// The current team's dashboard: what needs attention, running tasks, recent chats, and usage. One call.
import type { AnswerOf } from "../../client/api-calls.ts";
import type { DataContext } from "../../render/page-definition.ts";
import { teamOf, teamRefIn } from "../../request/viewer.ts";

export type DashboardData = AnswerOf<"GET", "/v1/dashboard">;

export async function data({ request }: DataContext): Promise<DashboardData> {
  return await request.api.get("/v1/dashboard", {
    team: teamRefIn(teamOf(request)),
    timeZone: request.timeZone,
  });
}
