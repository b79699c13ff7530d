// Owns computing over the tables of an agent's documents: reads their columns, plans the question, and lets Postgres compute, all
// as the caller, so that row-level security decides which tables exist. Does not know the prompt.

import { asCaller, type Claims, readOfPassages, type Transaction } from "../_shared/database/db.ts";
import type { LanguageCode } from "../_shared/language/rules.ts";
import type { Column } from "../_shared/text/cell-values.ts";
import { choicesOfTable } from "./choices.ts";
import { cutTable } from "./cited-rows.ts";
import { meaningfulTerms } from "./lexicon.ts";
import { replyLanguageOf } from "./reply-language.ts";
import type { Hit } from "./retrieve.ts";
import { planSheet, type Sheet, type SheetPlan } from "./sheet-plan.ts";
import {
  type Figures,
  type GroupFigures,
  groupsSaid,
  type ShownGroup,
  type ShownRow,
  tableSaid,
} from "./sheet-results.ts";
import { readingsOfSheets, type SheetQuestion } from "./sheet-words.ts";

/** Maximum tables per question; those of the documents found by the search come first. */
const mostSheets = 200;
/** Each may be a passage of its own, so at most as many as the agent takes. */
const mostRows = 8;
/** Groups without a passage of their own are listed in the last one. */
const mostGroups = 24;
/** Maximum rows of a look-up; a question that matches more asks for something else. */
const mostLookedUp = 8;
/** Maximum found tables that a look-up searches for a value. */
const mostSearched = 6;

/** Maximum distinct cells of a column that one question may mean. */
const mostMeant = 40;

/** The result, and for an ambiguous question its readings. */
type Computed = { hits: Hit[]; choices: string[] };

/** @returns passages with the result, one per chunk of its source rows; empty when nothing is computed */
export async function computeOverSheets(
  claims: Claims,
  {
    knowledgeIds,
    question,
    earlier = "",
    hits,
    topK,
    mayGuess,
  }: {
    knowledgeIds: string[];
    question: string;
    earlier?: string | undefined;
    hits: Hit[];
    topK: number;
    /** Whether a result may leave words of the question unexplained. */
    mayGuess: boolean;
  },
): Promise<Computed> {
  const none: Computed = { hits: [], choices: [] };
  if (knowledgeIds.length === 0) return none;
  const compute = async (tx: Transaction, asked: SheetQuestion): Promise<Computed | undefined> => {
    const sheets = await readSheets(tx, knowledgeIds, {
      hits,
      ...(asked.isLookUp ? { isOfHits: true, most: mostSearched } : {}),
    });
    await readMeantValues(tx, sheets, meaningfulTerms(asked.rest), asked.isLookUp ? 1 : 3);
    const plan = planSheet(asked, sheets, mayGuess);
    if (!plan) return undefined;
    const computed = await computePlan(tx, plan, { question, most: Math.min(mostRows, topK) });
    return { hits: computed, choices: choicesOfTable(question, plan.unclear) };
  };
  const passages = hits.map(({ chunkId }) => chunkId);
  for (const asked of readingsOfSheets(question, earlier)) {
    // Many questions look like a look-up; it counts as one when the search found a table.
    if (asked.isLookUp && !hits.some(({ hasTables }) => hasTables)) continue;
    const read = (tx: Transaction) => compute(tx, asked);
    // A look-up reads the documents of the hits alone.
    const found = await (asked.isLookUp ? readOfPassages(claims, passages, read) : asCaller(claims, read));
    if (found) return found;
  }
  return none;
}

/** @param isOfHits limits the tables to the documents of these hits */
async function readSheets(
  tx: Transaction,
  knowledgeIds: string[],
  { hits, isOfHits = false, most = mostSheets }: { hits: Hit[]; isOfHits?: boolean; most?: number },
): Promise<Sheet[]> {
  const found = [...new Set(hits.map(({ documentId }) => documentId))];
  const rows = await tx<(Omit<Sheet, "rank"> & { rank: number | null })[]>`
    select t.id, t.document_id, t.knowledge_id, d.title, t.caption, t.columns, t.rows_count,
           array_position(${found}::uuid[], t.document_id) as rank
      from public.document_tables t join public.documents d on d.id = t.document_id
     where t.knowledge_id = any (${knowledgeIds}::uuid[])
       and (not ${isOfHits} or t.document_id = any (${found}::uuid[]))
     order by rank nulls last, t.document_id, t.position limit ${most}`;
  return rows.map((row) => ({ ...row, rank: row.rank ?? found.length + 1 }));
}

/** For columns with more values than are stored with the table: the values with the most words of the question. */
async function readMeantValues(
  tx: Transaction,
  sheets: Sheet[],
  terms: string[],
  shortest: number,
): Promise<void> {
  const isLong = ({ kind, values }: Column) => kind === "text" && !values;
  const long = sheets.filter(({ columns }) => columns.some(isLong)).map(({ id }) => id);
  const words = terms.filter((term) => term.length >= shortest && !/[%_\\]/.test(term)).slice(0, 12);
  if (long.length === 0 || words.length === 0) return;
  const rows = await tx<{ id: string; column: number; values: string[] }[]>`
    select f.id, f.column, (array_agg(distinct f.cell))[:${mostMeant + 1}] as values
      from (select r.table_id as id, (c.at - 1)::int as column, c.cell, w.held,
                   max(w.held) over (partition by r.table_id, c.at) as most
              from public.document_tables t
              join public.table_rows r on r.team_id = t.team_id and r.table_id = t.id
             cross join lateral unnest(r.cells) with ordinality c (cell, at)
             cross join lateral (select count(*) as held from unnest(${words.map((word) => `%${word}%`)}::text[]) w (word)
                                  where c.cell ilike w.word) w
             where t.id = any (${long}::uuid[]) and char_length(c.cell) <= 100 and w.held > 0
               and t.columns -> (c.at - 1)::int ->> 'kind' = 'text' and not t.columns -> (c.at - 1)::int ? 'values') f
     where f.held = f.most
     group by 1, 2`;
  for (const { id, column, values } of rows) {
    const at = sheets.findIndex((sheet) => sheet.id === id);
    const sheet = sheets[at];
    // A word in this many cells identifies none, and a subset of them would be a wrong condition.
    if (!sheet || values.length > mostMeant) continue;
    const columns = sheet.columns.map((one, i) => (i === column ? { ...one, values } : one));
    sheets[at] = { ...sheet, columns };
  }
}

type Chunk = Omit<
  Hit,
  "content" | "score" | "vectorScore" | "vectorRank" | "textScore" | "textRank" | "computed"
> & {
  row: number;
  content: string;
};

/** The result of a plan as passages, one per chunk of its source rows. @param most maximum number of passages */
export async function computePlan(
  tx: Transaction,
  plan: SheetPlan,
  { question, most }: { question: string; most: number },
): Promise<Hit[]> {
  const { sheet, op, column, also = [], conditions, group, isGuess } = plan;
  const rows = Math.min(plan.most ?? most, most);
  const wanted = JSON.stringify(conditions);
  const [computed] = await tx<{ result: unknown; first: number | null }[]>`
    select ${
      group
        ? tx`private.compute_groups(${sheet.id}, ${op}, ${column}::int, ${group.column}::int, ${group.part},
                                    ${wanted}::text::jsonb, ${mostGroups})`
        : tx`private.compute_table(${sheet.id}, ${op}, ${column}::int, ${wanted}::text::jsonb, ${rows})`
    } as result,
           (select r.start_offset from public.document_tables t
              join public.table_rows r on r.team_id = t.team_id and r.table_id = t.id
             where t.id = ${sheet.id} order by r.position limit 1) as first`;
  if (!computed || computed.first === null) return [];
  const further: (Figures & { shown: ShownRow[] })[] = [];
  for (const one of also) {
    const [found] = await tx<{ result: Figures & { shown: ShownRow[] } }[]>`
      select private.compute_table(${sheet.id}, ${op}, ${one}::int, ${wanted}::text::jsonb, ${rows}) as result`;
    if (found) further.push(found.result);
  }
  const language = replyLanguageOf(question);
  const said = group
    ? ofGroups(plan, computed.result as GroupFigures & { shown: ShownGroup[] }, language)
    : ofRows(plan, [computed.result as Figures & { shown: ShownRow[] }, ...further], language);
  if (!said) return [];
  // A result without source rows cites the table from its first row.
  const starts = said.rows.length > 0 ? said.rows.slice(0, most).map(({ start }) => start) : [computed.first];
  const chunks = await tx<Chunk[]>`
    select distinct on (r.row) r.row::int as row, c.id as chunk_id, c.document_id, c.source_id, c.knowledge_id, d.title, d.url,
           c.content, c.start_offset, c.end_offset, c.page, c.heading, c.preface
      from unnest(${starts}::int[]) with ordinality r (start, row)
      join public.chunks c on c.knowledge_id = ${sheet.knowledgeId} and c.document_id = ${sheet.documentId}
                          and c.start_offset <= r.start and c.end_offset > r.start
      join public.documents d on d.id = c.document_id
     order by r.row, c.position desc`;
  const byChunk = new Map<string, { chunk: Chunk; rows: number[] }>();
  for (const chunk of chunks) {
    const one = byChunk.get(chunk.chunkId) ?? { chunk, rows: [] };
    if (said.rows.length > 0) one.rows.push(chunk.row - 1);
    byChunk.set(chunk.chunkId, one);
  }
  const passages = [...byChunk.values()];
  for (let at = starts.length; at < said.rows.length; at++) passages.at(-1)?.rows.push(at);
  return passages.map(({ chunk: { row: _row, ...chunk }, rows: own }, at) => {
    const first = said.rows[own[0] ?? -1];
    const from = (first?.start ?? chunk.startOffset) - chunk.startOffset;
    const to = (first?.end ?? chunk.endOffset) - chunk.startOffset;
    // Of a group, only the first row is cited.
    const table = cutTable(
      sheet.columns.map(({ name }) => name),
      own.flatMap((one) => (said.rows[one]?.cells ? [said.rows[one].cells] : [])),
    );
    return {
      ...chunk,
      content: said.content(own, at === 0),
      score: 1,
      vectorScore: null,
      vectorRank: null,
      textScore: null,
      textRank: null,
      computed: {
        quote: chunk.content.slice(Math.max(0, from), to).trim() || chunk.content.slice(0, 400),
        ...(table ? { table } : {}),
        ...(isGuess && { isGuess }),
      },
    };
  });
}

/** The text of a passage for the rows at these positions, and all rows shown. */
type Result = {
  rows: { start: number; end: number; cells?: string[] }[];
  content(own: number[], isFirst: boolean): string;
};

function ofRows(
  plan: SheetPlan,
  figures: (Figures & { shown: ShownRow[] })[],
  language: LanguageCode,
): Result | undefined {
  const matching = figures[0]?.rows ?? 0;
  if (plan.isNarrow && (matching === 0 || matching > mostLookedUp)) return undefined;
  const all = plan.unclear ? [] : figures.flatMap(({ shown }) => shown);
  const rows = all.filter(({ start }, at) => all.findIndex((one) => one.start === start) === at);
  return {
    rows,
    content: (own, isFirst) =>
      tableSaid(
        plan,
        figures,
        own.flatMap((at) => rows[at] ?? []),
        { language, isFirst, shown: rows.length },
      ),
  };
}

function ofGroups(
  plan: SheetPlan,
  figures: GroupFigures & { shown: ShownGroup[] },
  language: LanguageCode,
): Result {
  const groups = plan.unclear ? [] : figures.shown;
  return {
    rows: groups,
    content: (own, isFirst) =>
      groupsSaid(
        plan,
        figures,
        own.flatMap((at) => groups[at] ?? []),
        { language, isFirst, shown: groups.length },
      ),
  };
}
