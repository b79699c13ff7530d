// What in a team needs attention, most serious first. Pure.
import type { DashboardData } from "./+data.ts";

type Kind =
  | "sourceFailed"
  | "knowledgeFailed"
  | "knowledgeStale"
  | "knowledgeOverdue"
  | "unanswered"
  | "noKnowledge";

export interface Attention {
  /** Key under dashboard:attention. */
  key: Kind | `${Exclude<Kind, "unanswered">}Many`;
  tone: "bad" | "careful";
  /** Name of the affected resource; empty when there are several. */
  name: string;
  count: number;
  /** Path under the team. */
  path: string;
}

/** Path of the list of each kind; one resource's page is below it. */
const lists = {
  sourceFailed: "sources",
  knowledgeFailed: "knowledges",
  knowledgeStale: "knowledges",
  knowledgeOverdue: "knowledges",
  noKnowledge: "agents",
} as const;

/** At most a few lines, most serious first. When a kind has more rows than the API returns, one line shows their number. */
export function attentionOf({
  attention,
  insights,
}: Pick<DashboardData, "attention" | "insights">): Attention[] {
  const { failedSources, failedKnowledges, staleKnowledges, overdueKnowledges, agentsWithoutKnowledge } =
    attention;
  const found = [
    ...linesOf("sourceFailed", "bad", failedSources),
    ...linesOf("knowledgeFailed", "bad", failedKnowledges),
    ...linesOf("knowledgeStale", "careful", staleKnowledges),
    ...linesOf("knowledgeOverdue", "careful", overdueKnowledges),
    ...linesOf("noKnowledge", "careful", agentsWithoutKnowledge),
  ];
  const unanswered = insights?.total.unanswered ?? 0;
  if (unanswered > 0)
    found.push({ key: "unanswered", tone: "careful", name: "", count: unanswered, path: "insights" });
  return found;
}

function linesOf(
  key: keyof typeof lists,
  tone: Attention["tone"],
  { total, data }: DashboardData["attention"]["failedSources"],
): Attention[] {
  const path = lists[key];
  if (total > data.length) return [{ key: `${key}Many`, tone, name: "", count: total, path }];
  return data.map(({ id, name }) => ({ key, tone, name, count: 1, path: `${path}/${id}` }));
}
