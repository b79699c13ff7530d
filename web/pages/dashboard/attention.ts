// What of a team needs somebody: read from its rows, the gravest first. Pure.
import type { DashboardData } from "./+data.ts";

type Kind = "sourceFailed" | "knowledgeFailed" | "knowledgeStale" | "unanswered" | "noKnowledge";

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

/** More of one kind than this are told in one line, so that none hides another. */
const ONE_BY_ONE = 2;

const lists = {
  sourceFailed: "sources",
  knowledgeFailed: "knowledges",
  knowledgeStale: "knowledges",
  noKnowledge: "agents",
} as const;

/** At most a few lines, the gravest first. */
export function attentionOf(overview: DashboardData): Attention[] {
  const found = everythingOf(overview);
  const lines = new Map<string, Attention>();
  for (const one of found) {
    const { key, path } = one;
    const alike = found.filter((other) => other.key === key);
    if (alike.length <= ONE_BY_ONE || !isListed(key)) lines.set(`${key}-${path}`, one);
    else lines.set(key, { ...one, key: `${key}Many`, name: "", count: alike.length, path: lists[key] });
  }
  return [...lines.values()].sort((a, b) => Number(a.tone !== "bad") - Number(b.tone !== "bad"));
}

const isListed = (key: string): key is keyof typeof lists => key in lists;

function everythingOf({ agents, knowledges, sources, insights }: DashboardData): Attention[] {
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
  return found;
}
