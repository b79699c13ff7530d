// Owns the tables that a model may compute over in one reply: which are offered, and the passages from its calls. Reads as the
// agent, so that row-level security decides which tables exist. Does not know the conversation.
import { asCaller, type Claims } from "../_shared/database/db.ts";
import type { ToolCall } from "../_shared/models/model-tools.ts";
import type { Finding } from "./find.ts";
import type { Candidate, KeptPassage } from "./passages.ts";
import { fencedPassages } from "./prompt.ts";
import { placeOf } from "./retrieve.ts";
import type { Sheet } from "./sheet-plan.ts";
import { computePlan } from "./sheets.ts";
import { describeSheets, readTableCall, tableTool } from "./table-tool.ts";
import type { Toolbox } from "./tool-rounds.ts";

/** Limits on tables of the documents found by the search; a table with fewer rows is in a passage as a whole. */
export const mostTables = 12;
const fewestRows = 5;
const usualRows = 8;
/** The result of one call: characters per passage, and passages. For more, the model should add a condition. */
const longestPassage = 6_000;
const mostPassages = 20;

type TableToolbox = Toolbox & {
  /** The tables' description for the prompt. */
  said: string;
  /** The passages from the calls, numbered after those of the prompt. */
  found: KeptPassage[];
};

/** @param kept number of passages in the prompt @returns null when the search found no suitable table */
export function openTables(
  claims: Claims,
  {
    found: searched,
    question,
    kept,
  }: { found: Pick<Finding, "hits" | "tables">; question: string; kept: number },
): TableToolbox | null {
  const sheets = sheetsOf(searched).slice(0, mostTables);
  const { tables, said } = describeSheets(sheets.filter(({ rowsCount }) => rowsCount >= fewestRows));
  if (tables.size === 0) return null;
  const found: KeptPassage[] = [];
  return {
    said,
    found,
    tools: [tableTool],
    run: async ({ name, arguments: given }: ToolCall) => {
      if (name !== tableTool.name) return `There is no such tool: use ${tableTool.name}.`;
      const call = readTableCall(given, tables);
      if ("refusal" in call) return `Refused. ${call.refusal}`;
      const most = call.plan.most ?? usualRows;
      const rows = await asCaller(claims, (tx) => computePlan(tx, call.plan, { question, most }));
      if (rows.length === 0) return "The table is gone.";
      const passages = rows.slice(0, mostPassages).map((hit, at) => ({
        ...hit,
        content: hit.content.slice(0, longestPassage).replace(/[\ud800-\udbff]$/, ""),
        index: kept + found.length + at + 1,
      }));
      found.push(...passages);
      return fencedPassages(passages, crypto.randomUUID());
    },
  };
}

/** The tables of the documents of the hits, those of the best first. */
function sheetsOf({ hits, tables }: Pick<Finding, "hits" | "tables">): Sheet[] {
  const seen = new Set<string>();
  return hits.flatMap((hit, rank) => {
    const place = placeOf(hit);
    if (seen.has(place)) return [];
    seen.add(place);
    const { documentId, knowledgeId, title } = hit;
    return (tables.get(place) ?? []).map((table) => ({ ...table, documentId, knowledgeId, title, rank }));
  });
}

/** The search's candidates with the computed passages. A passage found by both counts once. */
export function withFound(candidates: Candidate[], found: KeptPassage[]): Candidate[] {
  const kept = new Set(candidates.flatMap(({ chunkId, index }) => (index === null ? [] : [chunkId])));
  const added = new Map<string, KeptPassage>();
  for (const one of found) if (!kept.has(one.chunkId) && !added.has(one.chunkId)) added.set(one.chunkId, one);
  return [
    ...[...added.values()].map((one) => ({ ...one, dropped: null })),
    ...candidates.filter(({ chunkId }) => !added.has(chunkId)),
  ];
}
