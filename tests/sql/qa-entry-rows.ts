// Owns the rows of a world's written answers.
import { randomUUID } from "node:crypto";
import type { Put } from "./putter.ts";
import type { World } from "./world.ts";

export interface QaEntryIds {
  /** A source of written answers, in `knowledge`. */
  qaSource: string;
  qaEntry: string;
}

export const qaEntryIds = (): QaEntryIds => ({ qaSource: randomUUID(), qaEntry: randomUUID() });

export async function makeQaEntries(put: Put, world: World) {
  const { team, qaSource, knowledge } = world;
  await put("public.sources", {
    id: qaSource,
    team_id: team,
    type: "qa",
    name: "Written answers",
    config: {},
  });
  await put("public.knowledge_sources", { team_id: team, knowledge_id: knowledge, source_id: qaSource });
  await put("public.qa_entries", { ...qaEntryRow(world), id: world.qaEntry });
}

export const qaEntryRow = ({ team, qaSource }: World) => ({
  team_id: team,
  source_id: qaSource,
  question: "How many days?",
  answer: "25 days.",
});
