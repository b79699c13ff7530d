// The current team's dashboard: what needs attention, running tasks, recent chats, and usage. One call.
import type { AnswerOf } from "../../browser/api-calls.ts";
import type { DataContext } from "../../renderer/page-definition.ts";
import { TEAM_COOKIE } from "../../server/cookies.ts";
import { teamRefIn } from "../../server/viewer.ts";

export type DashboardData = AnswerOf<"GET", "/v1/dashboard">;

export async function data({ request }: DataContext): Promise<DashboardData> {
  return await request.api.get("/v1/dashboard", {
    team: teamRefIn(request.cookies.get(TEAM_COOKIE)),
    timeZone: request.timeZone,
  });
}
