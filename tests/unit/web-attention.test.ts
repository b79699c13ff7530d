// The dashboard's alerts: the most severe comes first, and many of a kind share one line.
import { expect, test } from "vitest";
import type { DashboardData } from "../../web/pages/dashboard/+data.ts";
import { attentionOf } from "../../web/pages/dashboard/attention.ts";

/** As the API answers: the number, and the first two names. */
const inNeed = (names: string[]) => ({
  total: names.length,
  data: names.slice(0, 2).map((name) => ({ id: name, name })),
});

function overview(agents: string[], failed: string[], unanswered: number) {
  const figures = { chats: 0, messages: 0, up: 0, down: 0, unanswered };
  return {
    attention: {
      failedSources: inNeed(failed),
      failedKnowledges: inNeed([]),
      staleKnowledges: inNeed([]),
      overdueKnowledges: inNeed([]),
      agentsWithoutKnowledge: inNeed(agents),
    },
    insights: { data: [], total: figures, previous: figures },
  } satisfies Pick<DashboardData, "attention" | "insights">;
}

test("two of a kind are named, three are counted, and none hides another", () => {
  const lines = (agents: string[], failed: string[]) =>
    attentionOf(overview(agents, failed, 7)).map(({ key, name, count, path }) => [key, name, count, path]);
  expect(lines(["a", "b"], ["jira"])).toEqual([
    ["sourceFailed", "jira", 1, "sources/jira"],
    ["noKnowledge", "a", 1, "agents/a"],
    ["noKnowledge", "b", 1, "agents/b"],
    ["unanswered", "", 7, "insights"],
  ]);
  expect(lines(["a", "b", "c", "d"], [])).toEqual([
    ["noKnowledgeMany", "", 4, "agents"],
    ["unanswered", "", 7, "insights"],
  ]);
  expect(attentionOf(overview([], [], 0))).toEqual([]);
});
