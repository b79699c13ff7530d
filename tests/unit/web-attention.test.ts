// What the dashboard says first: the gravest stands first, and many of a kind are one line.
import { expect, test } from "vitest";
import type { DashboardData } from "../../web/pages/dashboard/+data.ts";
import { attentionOf } from "../../web/pages/dashboard/attention.ts";

const page = { page: 1, perPage: 100, total: 0 };

function overview(agents: string[], failed: string[], unanswered: number): DashboardData {
  return {
    agents: { ...page, data: agents.map((name) => ({ id: name, name, knowledgeIds: [] })) },
    knowledges: { ...page, data: [] },
    sources: { ...page, data: failed.map((name) => ({ id: name, name, status: "failed" })) },
    insights: { total: { unanswered } },
  } as unknown as DashboardData; // the fields that attentionOf() reads
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
