// The public agent that the front page lets people ask. The page stands without it too.
import type { PageContextServer } from "vike/types";
import { ApiFailure } from "../../server/api-failure.ts";

export interface HomeData {
  agent: { id: string; name: string; suggestedPrompts: string[] } | null;
}

const LIVE_AGENT = "handbook";

export async function data({ request }: PageContextServer): Promise<HomeData> {
  try {
    const agents = await request.api.get("/v1/agents", { name: LIVE_AGENT });
    const agent = agents.data[0];
    if (!agent) return { agent: null };
    return {
      agent: { id: agent.id, name: agent.name, suggestedPrompts: agent.suggestedPrompts.slice(0, 4) },
    };
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return { agent: null };
  }
}
