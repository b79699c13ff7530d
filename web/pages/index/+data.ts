// The public agent of the landing page's demo. The page works without it too.
import type { DataContext } from "../../render/page-definition.ts";
import { ApiFailure } from "../../request/api-failure.ts";
import { demoAgentId } from "../../request/demo-agent.ts";

export interface HomeData {
  agent: { id: string; name: string; suggestedPrompts: string[] } | null;
}

/** All visitors see the same agent, so one answer of the API is reused for a second. */
const SHARED_MS = 1_000;
let shared: { until: number; home: HomeData } | undefined;

export async function data({ request }: DataContext): Promise<HomeData> {
  const id = await demoAgentId();
  if (!id) return { agent: null };
  if (shared && !request.sentSession && Date.now() < shared.until) return shared.home;
  try {
    const { name, suggestedPrompts } = await request.api.get("/v1/agents/{id}", { id });
    const home = { agent: { id, name, suggestedPrompts: suggestedPrompts.slice(0, 4) } };
    if (!request.sentSession) shared = { until: Date.now() + SHARED_MS, home };
    return home;
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return { agent: null };
  }
}
