// The public agent that the front page lets people ask. The page stands without it too.
import type { DataContext } from "../../renderer/page-definition.ts";
import { ApiFailure } from "../../server/api-failure.ts";
import { demoAgentId } from "../../server/demo-agent.ts";

export interface HomeData {
  agent: { id: string; name: string; suggestedPrompts: string[] } | null;
}

export async function data({ request }: DataContext): Promise<HomeData> {
  const id = await demoAgentId();
  if (!id) return { agent: null };
  try {
    const agent = await request.api.get("/v1/agents/{id}", { id });
    return {
      agent: { id: agent.id, name: agent.name, suggestedPrompts: agent.suggestedPrompts.slice(0, 4) },
    };
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return { agent: null };
  }
}
