// Owns the rows of a world's gap: one question, of the viewer's chat.
import { randomUUID } from "node:crypto";
import type { Put } from "./putter.ts";
import type { World } from "./world.ts";

export interface GapIds {
  gap: string;
}

export const gapIds = (): GapIds => ({ gap: randomUUID() });

export async function makeGaps(put: Put, world: World) {
  await put("public.gaps", { ...gapRow(world), id: world.gap, questions: 1, people: 1, open_questions: 1 });
  await put("public.gap_questions", { ...gapQuestionRow(world), gap_id: world.gap, is_leader: true });
}

export const gapRow = ({ team, agent }: World) => ({ team_id: team, agent_id: agent, reason: "missing" });

export const gapQuestionRow = ({ team, agent, messages }: World) => ({
  message_id: messages.viewer,
  question_id: messages.viewer,
  team_id: team,
  agent_id: agent,
  cause: "unanswered",
  asked_at: "2026-01-01T00:00:00Z",
});
