// A page of the team's apps, filtered by name, and the names of their agents.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { choiceNames } from "#web/request/choices.ts";
import { teamRef } from "#web/request/current-team.ts";
import { Sorting } from "#web/ui/sorting.ts";

export interface AppsData {
  apps: AnswerOf<"GET", "/v1/teams/{teamId}/apps">;
  /** The names of their agents, by id. */
  names: Record<string, string>;
}

export const sorting = new Sorting(["createdAt", "name", "status"], "name");

export async function data({ request }: DataContext): Promise<AppsData> {
  const { searchParams } = request.url;
  const reading = request.api.get("/v1/teams/{teamId}/apps", {
    teamId: teamRef(request),
    name: searchParams.get("name") ?? undefined,
    sort: sorting.in(request.url),
    page: searchParams.get("page") ?? undefined,
  });
  const apps = await reading;
  const ids = apps.data.flatMap(({ agentId }) => agentId ?? []);
  return { apps, names: Object.fromEntries(await choiceNames("agents", request, ids)) };
}
