// A page of the user's teams, filtered by name or codename.
import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";

export type TeamsData = AnswerOf<"GET", "/v1/teams">;

export async function data({ request }: DataContext): Promise<TeamsData> {
  const { searchParams } = request.url;
  return await request.api.get("/v1/teams", {
    search: searchParams.get("search") ?? undefined,
    page: searchParams.get("page") ?? undefined,
  });
}
