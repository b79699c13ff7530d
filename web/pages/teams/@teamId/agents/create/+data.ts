// The knowledge bases that a new agent can use, with the one that the user comes from.
import type { DataContext } from "#web/render/page-definition.ts";
import { type Choices, choicesForViewer } from "#web/request/choices.ts";

export interface CreateAgentData {
  knowledges: Choices;
  knowledgeId: string | undefined;
}

export async function data({ request }: DataContext): Promise<CreateAgentData> {
  const asked = request.url.searchParams.get("knowledgeId");
  const chosen = request.form?.get("knowledgeId")?.toString();
  const knowledges = await choicesForViewer("knowledges", request, [asked, chosen]);
  return { knowledges, knowledgeId: knowledges.rows.find(({ id }) => id === asked)?.id };
}
