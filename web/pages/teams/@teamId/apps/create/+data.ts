// The agents that an app can use, with the one that the user comes from.
import type { DataContext } from "#web/render/page-definition.ts";
import { type Choices, teamChoices } from "#web/request/choices.ts";

export interface CreateAppData {
  agents: Choices<"agents">;
  agentId: string | undefined;
}

export async function data({ request }: DataContext): Promise<CreateAppData> {
  const asked = request.url.searchParams.get("agentId");
  const agents = await teamChoices("agents", request, [asked, request.form?.get("agentId")?.toString()]);
  return { agents, agentId: agents.rows.find(({ id }) => id === asked)?.id };
}
