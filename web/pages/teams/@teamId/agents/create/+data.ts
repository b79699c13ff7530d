// The knowledge bases that a new agent can use.
import type { DataContext } from "#web/render/page-definition.ts";
import { type Choices, choicesForViewer } from "#web/request/choices.ts";

export interface CreateAgentData {
  knowledges: Choices;
}

export async function data({ request }: DataContext): Promise<CreateAgentData> {
  const chosen = request.form?.get("knowledgeId")?.toString();
  return { knowledges: await choicesForViewer("knowledges", request, [chosen]) };
}
