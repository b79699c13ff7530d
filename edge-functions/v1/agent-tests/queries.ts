// Owns the SQL of agents' tests. Row-level security decides which rows there are.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { type RefusalCode, refusal } from "../../_shared/requests/refusals.ts";
import { type AgentPlace, person } from "../agent-versions/queries.ts";
import { found } from "../router.ts";
import { contains, numberedPage } from "../sql.ts";
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

/** All of them, for a file. */
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

/** @throws ApiError NOT_FOUND for a reply that the caller may not read; VALIDATION_FAILED where nothing is expected */
export async function addTest(tx: Transaction, place: Place, values: NewAgentTest): Promise<AgentTest> {
  const { messageId, ...given } = await withDocumentId(tx, place, values);
  const test = { ...(messageId ? await testOfReply(tx, place, messageId) : {}), ...given };
  // A caller who says what they expect means that and nothing else.
  if (given.facts?.length) test.mustRefuse = given.mustRefuse ?? false;
  if (given.mustRefuse) test.expectedDocumentId = given.expectedDocumentId ?? null;
  if (!test.question) throw refused("question", "required");
  requireExpectation(test);
  const [row] = await tx<{ id: string }[]>`
    insert into public.agent_tests (team_id, agent_id, question, facts, expected_document_id, must_refuse, message_id)
    values (${place.teamId}, ${place.agentId}, ${test.question}, ${test.facts ?? []}, ${test.expectedDocumentId ?? null},
            ${test.mustRefuse ?? false}, ${messageId ?? null})
    returning id`;
  return found(await readTest(tx, place, found(row).id));
}

/** What a reply of this agent makes of itself: its question, and that it is answered from the same document, or not at all. */
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
  const { question, unanswered, documentId } = found(reply);
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
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const before = await readTest(tx, place, testId);
  if (!before) return undefined;
  requireExpectation({
    facts: facts ?? before.facts,
    mustRefuse: mustRefuse ?? before.mustRefuse,
    // The title of a deleted document is an expectation still.
    expectedDocumentId: expectedDocumentId === undefined ? before.expectedTitle : expectedDocumentId,
  });
  const [row] = await tx`
    update public.agent_tests set ${Object.keys(changes).length > 0 ? tx(changes) : tx`question = question`}
     where team_id = ${place.teamId} and agent_id = ${place.agentId} and id = ${testId} returning id`;
  return row ? await readTest(tx, place, testId) : undefined;
}

export async function deleteTest(tx: Transaction, { teamId, agentId }: Place, testId: string) {
  const [row] = await tx<{ id: string }[]>`
    delete from public.agent_tests where team_id = ${teamId} and agent_id = ${agentId} and id = ${testId} returning id`;
  return row;
}

/** Documents of the team by their titles, as far as the caller may read them. */
export async function documentsByTitle(tx: Transaction, teamId: TeamId, titles: string[]) {
  return await tx<{ id: string; title: string }[]>`
    select d.id, d.title from public.sources s
      join public.documents d on d.team_id = s.team_id and d.source_id = s.id
       and d.title collate private.natural_order = any (${titles}::text[])
     where s.team_id = ${teamId}`;
}

/** @throws ApiError VALIDATION_FAILED for a title that is not one document's */
async function withDocumentId<V extends AgentTestUpdate>(
  tx: Transaction,
  { teamId }: Place,
  { expectedTitle, ...values }: V,
): Promise<Omit<V, "expectedTitle">> {
  if (expectedTitle === undefined) return values;
  const [document, ...others] = await documentsByTitle(tx, teamId, [expectedTitle]);
  if (!document) throw refused("expectedTitle", "testNoDocument");
  if (others.length > 0) throw refused("expectedTitle", "testManyDocuments");
  return { ...values, expectedDocumentId: document.id };
}

type Expected = { facts?: string[]; expectedDocumentId?: string | null; mustRefuse?: boolean };

/** @throws ApiError VALIDATION_FAILED as the table's rule would, in words */
function requireExpectation({ facts = [], expectedDocumentId, mustRefuse = false }: Expected): void {
  const expects = facts.length > 0 || !!expectedDocumentId;
  if (mustRefuse && expects) throw refused("mustRefuse", "testRefusesAndExpects");
  if (!mustRefuse && !expects) throw refused("facts", "testExpectsNothing");
}

const refused = (path: string, code: RefusalCode) =>
  new ApiError("VALIDATION_FAILED", undefined, { details: [{ path, ...refusal(code) }] });
