// Owns the row of a world's onboarding.
import type { Put } from "./putter.ts";
import type { World } from "./world.ts";

export const makeOnboarding = (put: Put, world: World) => put("public.onboardings", onboardingRow(world));

export const onboardingRow = ({ team, agent, knowledge }: World) => ({
  team_id: team,
  agent_id: agent,
  knowledge_id: knowledge,
});
