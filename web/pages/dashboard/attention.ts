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

/** Path of the list of each kind; one resource's page is below it. The permission is the one that its remedy requires. */
const lists = {
  sourceFailed: { path: "sources", permission: "sources.write" },
  knowledgeFailed: { path: "knowledges", permission: "knowledges.write" },
  knowledgeStale: { path: "knowledges", permission: "knowledges.write" },
  knowledgeOverdue: { path: "knowledges", permission: "knowledges.write" },
  noKnowledge: { path: "agents", permission: "agents.write" },
} as const;

type May = (permission: string) => boolean;

/** True when the reader can act on any kind. Nobody else is told that something, or nothing, needs attention. */
export const actsOnAny = (insights: DashboardData["insights"], may: May): boolean =>
  insights !== null || Object.values(lists).some(({ permission }) => may(permission));

/**
 * At most a few lines, most serious first, of what the reader may act on. When a kind has more rows than the API
 * returns, one line shows their number.
 */
export function attentionOf(
  { attention, insights }: Pick<DashboardData, "attention" | "insights">,
  may: May,
): Attention[] {
  const { failedSources, failedKnowledges, staleKnowledges, overdueKnowledges, agentsWithoutKnowledge } =
    attention;
  const found = [
    ...linesOf("sourceFailed", "bad", failedSources),
    ...linesOf("knowledgeFailed", "bad", failedKnowledges),
    ...linesOf("knowledgeStale", "careful", staleKnowledges),
    ...linesOf("knowledgeOverdue", "careful", overdueKnowledges),
    ...linesOf("noKnowledge", "careful", agentsWithoutKnowledge),
  ].filter(({ permission }) => may(permission));
  const lines: Attention[] = found.map(({ permission: _, ...line }) => line);
  const unanswered = insights?.total.unanswered ?? 0;
  if (unanswered > 0)
    lines.push({ key: "unanswered", tone: "careful", name: "", count: unanswered, path: "insights" });
  return lines;
}

function linesOf(
  key: keyof typeof lists,
  tone: Attention["tone"],
  { total, data }: DashboardData["attention"]["failedSources"],
): (Attention & { permission: string })[] {
  const { path, permission } = lists[key];
  if (total > data.length) return [{ key: `${key}Many`, tone, name: "", count: total, path, permission }];
  return data.map(({ id, name }) => ({ key, tone, name, count: 1, path: `${path}/${id}`, permission }));
}
