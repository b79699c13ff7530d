// What the selected type needs: for chats, the agents; for files, the files.
import type { DataContext } from "#web/render/page-definition.ts";
import type { SourceType } from "#web/request/api-types.ts";
import { type Choices, noChoices, teamChoices } from "#web/request/choices.ts";
import { teamRef } from "#web/request/current-team.ts";
import { chosenAgent } from "../source-form.ts";
import { hasAgentSetting, hasFileList, sourceTypes } from "../source-types.ts";

export interface NewSourceData {
  /** The types to choose from. */
  types: SourceType[];
  /** Null when none is selected. */
  type: SourceType | null;
  agents: Choices;
  /** The newest first, at most one page of the API, and their total number. */
  files: { id: string; name: string; size: number }[];
  filesTotal: number;
}

export async function data({ request }: DataContext): Promise<NewSourceData> {
  const wanted = request.url.searchParams.get("type");
  const types = await sourceTypes(request.api);
  const type = types.find((one) => one.type === wanted) ?? null;
  const page = { teamId: teamRef(request), perPage: 100 };
  const [agents, files] = await Promise.all([
    type && hasAgentSetting(type)
      ? teamChoices("agents", request, [chosenAgent(request)])
      : noChoices("agents"),
    type && hasFileList(type)
      ? request.api.get("/v1/teams/{teamId}/files", { ...page, type: "document" })
      : null,
  ]);
  return {
    types,
    type,
    agents,
    files: (files?.data ?? []).map(({ id, name, size }) => ({ id, name, size })),
    filesTotal: files?.total ?? 0,
  };
}
