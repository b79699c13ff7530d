// What of a team needs somebody: read from its rows, the gravest first. Pure.
import type { DashboardData } from "./+data.ts";

export interface Attention {
  /** Key under dashboard:attention. */
  key: "sourceFailed" | "knowledgeFailed" | "knowledgeStale" | "unanswered" | "noKnowledge";
  tone: "bad" | "careful";
  name: string;
  count: number;
  /** Path under the team. */
  path: string;
}

const MOST = 6;

export function attentionOf({ agents, knowledges, sources, insights }: DashboardData): Attention[] {
  const found: Attention[] = [];
  for (const { id, name, status } of sources.data)
    if (status === "failed")
      found.push({ key: "sourceFailed", tone: "bad", name, count: 1, path: `sources/${id}` });
  for (const { id, name, status } of knowledges.data) {
    const path = `knowledges/${id}`;
    if (status === "failed") found.push({ key: "knowledgeFailed", tone: "bad", name, count: 1, path });
    if (status === "stale") found.push({ key: "knowledgeStale", tone: "careful", name, count: 1, path });
  }
  for (const { id, name, knowledgeIds } of agents.data)
    if (knowledgeIds.length === 0)
      found.push({ key: "noKnowledge", tone: "careful", name, count: 1, path: `agents/${id}` });
  const unanswered = insights?.total.unanswered ?? 0;
  if (unanswered > 0)
    found.push({ key: "unanswered", tone: "careful", name: "", count: unanswered, path: "insights" });
  return found.sort((a, b) => Number(a.tone !== "bad") - Number(b.tone !== "bad")).slice(0, MOST);
}
