// The dashboard's alerts: the most severe comes first, and many of a kind share one line.
import { expect, test } from "vitest";
import type { DashboardData } from "../../web/pages/dashboard/+data.ts";
import { actsOnAny, attentionOf } from "../../web/pages/dashboard/attention.ts";
import { rolePermissions, type SystemRole } from "../support/permissions.ts";

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
    attentionOf(overview(agents, failed, 7), () => true).map(({ key, name, count, path }) => [
      key,
      name,
      count,
      path,
    ]);
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
  expect(attentionOf(overview([], [], 0), () => true)).toEqual([]);
});

test("a role is told only of what it may act on", () => {
  const team = overview(["a"], ["jira"], 7);
  const kindsFor = (role: SystemRole) => {
    const may = (permission: string) => rolePermissions[role].some((one) => one === permission);
    const insights = may("insights.read") ? team.insights : null;
    const lines = attentionOf({ ...team, insights }, may).map(({ key }) => key);
    return { lines, isShown: actsOnAny(insights, may) };
  };
  expect(kindsFor("editor")).toEqual({ lines: ["sourceFailed", "noKnowledge", "unanswered"], isShown: true });
  expect(kindsFor("viewer")).toEqual({ lines: [], isShown: false });
  const alone = (permission: string) => permission === "agents.write";
  expect(attentionOf({ ...team, insights: null }, alone).map(({ key }) => key)).toEqual(["noKnowledge"]);
  expect(actsOnAny(null, alone)).toBe(true);
});
