// Owns the SQL of agent tests. Row-level security decides which rows are visible.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { refuseField } from "../../_shared/requests/errors.ts";
import { type AgentPlace, person } from "../agent-versions/queries.ts";
import { requireRow } from "../router.ts";
import { assignments, contains, numberedPage } from "../sql.ts";
import type { AgentTest, AgentTestUpdate, NewAgentTest, TestsQuery } from "./schema.ts";

type Place = AgentPlace & { teamId: string };

const columns = (tx: Transaction) => tx`
  t.id, t.team_id, t.agent_id, t.question, t.facts, t.expected_document_id, t.expected_title, t.must_refuse,
  t.created_at, t.updated_at, ${person(tx, "t.created_by")} as author`;

/** In the order in which they were added. */
export async function listTests(
  tx: Transaction,
  { teamId, agentId }: AgentPlace,
  { question, ...page }: TestsQuery,
) {
  return await numberedPage<AgentTest>(
    tx,
    {
      columns: columns(tx),
      from: tx`public.agent_tests t where t.team_id = ${teamId} and t.agent_id = ${agentId}
        ${question ? tx`and t.question ilike ${contains(question)}` : tx``}`,
      order: tx`t.id`,
    },
    page,
  );
}

/** Until the transaction ends, no one else adds tests: the lock that limit_agent_tests() takes. */
export async function lockTests(tx: Transaction, agentId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`agentTests:${agentId}`}, 0))`;
}

/** All tests, for an export or an import. */
export async function allTests(tx: Transaction, { teamId, agentId }: AgentPlace): Promise<AgentTest[]> {
  return await tx<AgentTest[]>`
    select ${columns(tx)} from public.agent_tests t
     where t.team_id = ${teamId} and t.agent_id = ${agentId} order by t.id`;
}

export async function readTest(tx: Transaction, { teamId, agentId }: AgentPlace, testId: string) {
  const [row] = await tx<AgentTest[]>`
    select ${columns(tx)} from public.agent_tests t
     where t.team_id = ${teamId} and t.agent_id = ${agentId} and t.id = ${testId}`;
  return row;
}

/** @throws ApiError NOT_FOUND for a reply that the caller may not read; VALIDATION_FAILED if the test expects nothing */
export async function addTest(tx: Transaction, place: Place, values: NewAgentTest): Promise<AgentTest> {
  const { messageId, ...given } = await withDocumentId(tx, place, values);
  const test = { ...(messageId ? await testOfReply(tx, place, messageId) : {}), ...given };
  // Explicit expectations replace those derived from the reply.
  if (given.facts?.length) test.mustRefuse = given.mustRefuse ?? false;
  if (given.mustRefuse) test.expectedDocumentId = given.expectedDocumentId ?? null;
  if (!test.question) throw refuseField("question", "required");
  requireExpectation(test);
  const [row] = await tx<{ id: string }[]>`
    insert into public.agent_tests (team_id, agent_id, question, facts, expected_document_id, must_refuse, message_id)
    values (${place.teamId}, ${place.agentId}, ${test.question}, ${test.facts ?? []}, ${test.expectedDocumentId ?? null},
            ${test.mustRefuse ?? false}, ${messageId ?? null})
    returning id`;
  return requireRow(await readTest(tx, place, requireRow(row).id));
}

/** Derives a test from a reply of this agent: its question, and as expectation the cited document or a refusal. */
async function testOfReply(tx: Transaction, { teamId, agentId }: Place, messageId: string) {
  const [reply] = await tx<{ question: string | null; unanswered: boolean; documentId: string | null }[]>`
    select coalesce(m.searched_for, (
             select q.content from public.messages q
              where q.chat_id = m.chat_id and q.role = 'user' and q.id < m.id order by q.id desc limit 1)) as question,
           m.unanswered,
           (select d.id from jsonb_array_elements(m.citations) with ordinality as c (citation, place)
              join public.documents d on d.team_id = m.team_id and d.id = (c.citation ->> 'documentId')::uuid
             order by c.place limit 1) as document_id
      from public.messages m join public.chats c on c.id = m.chat_id
     where m.team_id = ${teamId} and m.id = ${messageId} and m.role = 'assistant' and c.agent_id = ${agentId}`;
  const { question, unanswered, documentId } = requireRow(reply);
  return {
    question: question ?? undefined,
    expectedDocumentId: unanswered ? null : documentId,
    mustRefuse: unanswered,
  } satisfies AgentTestUpdate;
}

export async function updateTest(
  tx: Transaction,
  place: Place,
  testId: string,
  values: AgentTestUpdate,
): Promise<AgentTest | undefined> {
  const { question, facts, expectedDocumentId, mustRefuse } = await withDocumentId(tx, place, values);
  const given = {
    question,
    facts,
    expected_document_id: expectedDocumentId,
    must_refuse: mustRefuse,
  };
  const before = await readTest(tx, place, testId);
  if (!before) return undefined;
  requireExpectation({
    facts: facts ?? before.facts,
    mustRefuse: mustRefuse ?? before.mustRefuse,
    // The title of a deleted document still counts as an expectation.
    expectedDocumentId: expectedDocumentId === undefined ? before.expectedTitle : expectedDocumentId,
  });
  const [row] = await tx`
    update public.agent_tests set ${assignments(tx, given, "question")}
     where team_id = ${place.teamId} and agent_id = ${place.agentId} and id = ${testId} returning id`;
  return row ? await readTest(tx, place, testId) : undefined;
}

export async function deleteTest(tx: Transaction, { teamId, agentId }: Place, testId: string) {
  const [row] = await tx<{ id: string }[]>`
    delete from public.agent_tests where team_id = ${teamId} and agent_id = ${agentId} and id = ${testId} returning id`;
  return row;
}

/** Documents of the team with one of these titles, as far as the caller may read them. */
export async function documentsByTitle(tx: Transaction, teamId: TeamId, titles: string[]) {
  return await tx<{ id: string; title: string }[]>`
    select d.id, d.title from public.sources s
      join public.documents d on d.team_id = s.team_id and d.source_id = s.id
       and d.title collate private.natural_order = any (${titles}::text[])
     where s.team_id = ${teamId}`;
}

/** @throws ApiError VALIDATION_FAILED if the title does not identify exactly one document */
async function withDocumentId<V extends AgentTestUpdate>(
  tx: Transaction,
  { teamId }: Place,
  { expectedTitle, ...values }: V,
): Promise<Omit<V, "expectedTitle">> {
  if (expectedTitle === undefined) return values;
  const [document, ...others] = await documentsByTitle(tx, teamId, [expectedTitle]);
  if (!document) throw refuseField("expectedTitle", "testNoDocument");
  if (others.length > 0) throw refuseField("expectedTitle", "testManyDocuments");
  return { ...values, expectedDocumentId: document.id };
}

type Expected = { facts?: string[]; expectedDocumentId?: string | null; mustRefuse?: boolean };

/** Same rule as the table's constraint, with an error message. @throws ApiError VALIDATION_FAILED */
function requireExpectation({ facts = [], expectedDocumentId, mustRefuse = false }: Expected): void {
  const expects = facts.length > 0 || !!expectedDocumentId;
  if (mustRefuse && expects) throw refuseField("mustRefuse", "testRefusesAndExpects");
  if (!mustRefuse && !expects) throw refuseField("facts", "testExpectsNothing");
}
