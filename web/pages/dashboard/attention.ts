// What of a team needs somebody: read from its rows, the gravest first. Pure.
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
  /** Of the one that it is about; empty where it is about several. */
  name: string;
  count: number;
  /** Path under the team. */
  path: string;
}

/** Where each kind is told of: the list, and the page of one of it under that path. */
const lists = {
  sourceFailed: "sources",
  knowledgeFailed: "knowledges",
  knowledgeStale: "knowledges",
  knowledgeOverdue: "knowledges",
  noKnowledge: "agents",
} as const;

/** At most a few lines, the gravest first. Of a kind that has more rows than the API names, one line tells the number. */
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
