// Owns the SQL that reads test runs, and stores a person's verdict on a result. Row-level security decides which rows are visible.
import type { Transaction } from "../../_shared/database/db.ts";
import { type AgentPlace, liveVersionId, person } from "../agent-versions/queries.ts";
import type { PageQuery } from "../router.ts";
import { numberedPage, type Sql } from "../sql.ts";
import type { TestResult, TestRun } from "./schema.ts";

/** A person's verdict overrides the judge's. A deleted document is not a failure. */
const finalVerdict = (tx: Transaction) => tx`coalesce(e.overruled, e.verdict)`;
const isGood = (tx: Transaction, verdict: Sql) => tx`${verdict} in ('passed', 'documentDeleted')`;

/** A failed test is broken unless the live version is known to fail it too. */
const change = (tx: Transaction) => tx`
  case when r.live_version_id is null then case when ${finalVerdict(tx)} = 'failed' then 'broken' end
       when ${finalVerdict(tx)} = 'failed' and e.live_verdict <> 'failed' then 'broken'
       when ${isGood(tx, finalVerdict(tx))} and e.live_verdict = 'failed' then 'fixed' end`;

const sums = (tx: Transaction) => tx`
  lateral (
    select count(*) filter (where ${finalVerdict(tx)} = 'passed')::int as passed,
           count(*) filter (where ${finalVerdict(tx)} = 'failed')::int as failed,
           count(*) filter (where ${finalVerdict(tx)} = 'undecided')::int as undecided,
           count(*) filter (where ${finalVerdict(tx)} = 'documentDeleted')::int as document_deleted,
           count(*) filter (where ${change(tx)} = 'fixed')::int as fixed,
           count(*) filter (where ${change(tx)} = 'broken')::int as broken
      from public.agent_test_results e where e.team_id = r.team_id and e.run_id = r.id) s`;

const columns = (tx: Transaction) => tx`
  r.id, r.team_id, r.agent_id, r.version_id, r.live_version_id, r.task_id, r.status, r.total as tests, r.done, r.error,
  r.finished_at, r.created_at, r.updated_at, ${person(tx, "r.created_by")} as author,
  (select v.number from public.agent_versions v where v.id = r.version_id) as version_number,
  (select v.number from public.agent_versions v where v.id = r.live_version_id) as live_version_number,
  s.passed, s.failed, s.undecided, s.document_deleted, s.fixed, s.broken`;

/** Renamed because a list's own total is also called `total`. */
type RunRow = Omit<TestRun, "total"> & { tests: number };
const toRun = ({ tests, ...row }: RunRow): TestRun => ({ ...row, total: tests });

/** Newest first. */
export async function listRuns(tx: Transaction, { teamId, agentId }: AgentPlace, page: PageQuery) {
  const matches = tx`public.agent_test_runs r`;
  const listed = await numberedPage<RunRow>(
    tx,
    {
      columns: columns(tx),
      from: tx`${matches} cross join ${sums(tx)} where r.team_id = ${teamId} and r.agent_id = ${agentId}`,
      counted: tx`${matches} where r.team_id = ${teamId} and r.agent_id = ${agentId}`,
      order: tx`r.id desc`,
    },
    page,
  );
  return { ...listed, data: listed.data.map(toRun) };
}

export async function readRun(tx: Transaction, { teamId, agentId }: AgentPlace, runId: string) {
  const [row] = await tx<RunRow[]>`
    select ${columns(tx)} from public.agent_test_runs r cross join ${sums(tx)}
     where r.team_id = ${teamId} and r.agent_id = ${agentId} and r.id = ${runId}`;
  return row && toRun(row);
}

const resultColumns = (tx: Transaction) => tx`
  e.id, e.test_id, e.position, e.question, e.facts, e.expected_document_id, e.expected_title, e.must_refuse, e.answer,
  e.verdict, e.findings, e.live_answer, e.live_verdict, e.live_findings, e.overruled, e.overruled_at,
  ${person(tx, "e.overruled_by")} as overruler, ${change(tx)} as change`;

const resultsOf = (tx: Transaction, { teamId, agentId }: AgentPlace, runId: string) => tx`
  public.agent_test_results e
    join public.agent_test_runs r on r.team_id = e.team_id and r.id = e.run_id
   where r.team_id = ${teamId} and r.agent_id = ${agentId} and r.id = ${runId}`;

/** Broken tests first, then undecided ones, then fixed ones, then the others in order. */
export async function listResults(tx: Transaction, place: AgentPlace, runId: string): Promise<TestResult[]> {
  return await tx<TestResult[]>`
    select * from (select ${resultColumns(tx)} from ${resultsOf(tx, place, runId)}) listed
     order by change = 'broken' desc nulls last, coalesce(overruled, verdict) = 'undecided' desc nulls last,
              change = 'fixed' desc nulls last, position`;
}

export async function readResult(tx: Transaction, place: AgentPlace, runId: string, resultId: string) {
  const [row] = await tx<TestResult[]>`
    select ${resultColumns(tx)} from ${resultsOf(tx, place, runId)} and e.id = ${resultId}`;
  return row;
}

export async function overrule(
  tx: Transaction,
  place: AgentPlace,
  { runId, resultId, overruled }: { runId: string; resultId: string; overruled: "passed" | "failed" | null },
) {
  const [row] = await tx`
    update public.agent_test_results set overruled = ${overruled}
     where team_id = ${place.teamId} and run_id = ${runId} and id = ${resultId}
       and exists (select 1 from public.agent_test_runs r where r.id = ${runId} and r.agent_id = ${place.agentId})
    returning id`;
  return row ? await readResult(tx, place, runId, resultId) : undefined;
}

export type Gate = {
  liveVersionId: string | null;
  tests: number;
  /** True if exactly these tests have run to completion with this version against the live one, and no later run was stopped. */
  isRun: boolean;
  broken: number;
  undecided: number;
};

/** Whether the tests allow a version to be published. */
export async function readGate(tx: Transaction, { agentId }: AgentPlace, versionId: string): Promise<Gate> {
  const [row] = await tx<Gate[]>`
    select live.id as live_version_id, tests.number as tests, coalesce(latest.broken, 0) as broken,
           coalesce(latest.undecided, 0) as undecided,
           coalesce(latest.status = 'succeeded' and latest.live_version_id = live.id and latest.total = tests.number
                    and latest.created_at >= tests.changed and not exists (
                      -- Deleted before the run and restored since.
                      select from public.agent_tests t
                       where t.agent_id = ${agentId} and not exists (
                         select from public.agent_test_results e
                          where e.team_id = t.team_id and e.run_id = latest.id and e.test_id = t.id)), false) as is_run
      from (select ${liveVersionId(tx, agentId)} as id) live
     cross join (select count(*)::int as number, max(t.updated_at) as changed
                   from public.agent_tests t where t.agent_id = ${agentId}) tests
      left join lateral (
        select r.id, r.status, r.live_version_id, r.total, r.created_at, s.broken, s.undecided
          from public.agent_test_runs r cross join ${sums(tx)}
         where r.agent_id = ${agentId} and r.version_id = ${versionId} order by r.id desc limit 1) latest on true`;
  return row ?? { liveVersionId: null, tests: 0, isRun: false, broken: 0, undecided: 0 };
}
