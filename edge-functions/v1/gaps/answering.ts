// Owns writing an answer for a gap, in one transaction: the entry, its source and the test as the caller, then the task that asks the
// questions again, which no client may queue.
import type { Context } from "hono";
import { asCallerThenService, type Claims, type Transaction } from "../../_shared/database/db.ts";
import { readTeamModels } from "../../_shared/models/team-models.ts";
import { refuseField } from "../../_shared/requests/errors.ts";
import { contradictionsIn } from "../../answering/disagreement.ts";
import { retrieve } from "../../answering/retrieve.ts";
import { addTest } from "../agent-tests/queries.ts";
import { askedTeam } from "../in-team.ts";
import { addEntry } from "../qa-entries/queries.ts";
import { type AppEnv, claimsOf, requireRow, teamWith } from "../router.ts";
import { createSource } from "../sources/queries.ts";
import * as queries from "./queries.ts";
import type { Contradiction, GapAnswer, GapAnswered } from "./schema.ts";

/**
 * @throws ApiError NOT_FOUND without the permission to read the gap, FORBIDDEN without the permission to write all of it,
 *   VALIDATION_FAILED
 */
export async function answerGap(
  c: Context<AppEnv>,
  id: string,
  nameSource: (knowledgeBase: string) => string,
  given: GapAnswer,
): Promise<GapAnswered> {
  const claims = claimsOf(c);
  const { caller } = c.var;
  const made = await asCallerThenService(
    claims,
    async (tx, team) => {
      const [asked] = await tx<{ id: string }[]>`select ${team} as id`;
      const teamId = requireRow(asked).id;
      const gap = requireRow(await queries.readGap(tx, teamId, id));
      // The task tests the agent on the caller's behalf.
      for (const permission of ["agents.write", "knowledges.read"]) await teamWith(tx, teamId, permission);
      const { sourceId, knowledgeIds } = await placeFor(
        tx,
        { teamId, agentId: gap.agentId, nameSource },
        given,
      );
      const question = given.question ?? (gap.searchedFor ?? gap.question).trim().slice(0, 2000);
      const { answer, ownerId, expiresAt, facts } = given;
      const entry = await addEntry(tx, { teamId, sourceId }, { question, answer, ownerId, expiresAt });
      if (!entry.documentId) throw refuseField("expiresAt", "datePast");
      const test = given.addTest
        ? await addTest(
            tx,
            { teamId, agentId: gap.agentId },
            { question, facts, expectedDocumentId: entry.documentId },
          )
        : null;
      const [source] = await tx<{ id: string; name: string }[]>`
        select id, name from public.sources where team_id = ${teamId} and id = ${sourceId}`;
      const [document] = await tx<{ id: string; title: string }[]>`
        select id, title from public.documents where team_id = ${teamId} and id = ${entry.documentId}`;
      return {
        teamId,
        knowledgeIds,
        entry,
        test,
        source: requireRow(source),
        document: requireRow(document),
      };
    },
    async (tx, done) => {
      const byUser = caller.kind === "user" ? caller.id : null;
      const byKey = caller.kind === "apiKey" ? caller.id : null;
      const [row] = await tx<{ taskId: string }[]>`
        select private.ask_gap_again(${id}, ${done.entry.id}, ${byUser}, ${byKey}) as task_id`;
      const gap = requireRow(await queries.readGap(tx, done.teamId, id));
      return { ...done, gap, taskId: requireRow(row).taskId };
    },
    askedTeam(c),
  );
  const { teamId, knowledgeIds, ...answered } = made;
  return {
    ...answered,
    contradictions: await contradictionsOf(claims, { teamId, knowledgeIds }, made.entry),
  };
}

/** The knowledge base's source of written answers. Created if missing. */
async function placeFor(
  tx: Transaction,
  {
    teamId,
    agentId,
    nameSource,
  }: { teamId: string; agentId: string; nameSource: (knowledgeBase: string) => string },
  { knowledgeId }: GapAnswer,
): Promise<{ sourceId: string; knowledgeIds: string[] }> {
  const knowledges = await queries.knowledgesOf(tx, teamId, agentId);
  const chosen = knowledgeId ? knowledges.find(({ id }) => id === knowledgeId) : knowledges[0];
  if (!chosen) throw refuseField("knowledgeId", knowledges.length === 0 ? "gapNoKnowledge" : "gapKnowledge");
  const knowledgeIds = knowledges.map(({ id }) => id);
  const known = await queries.qaSourceOf(tx, teamId, chosen.id);
  if (known) return { sourceId: known, knowledgeIds };
  const name = nameSource(chosen.name).slice(0, 200);
  const sourceId = requireRow(await createSource(tx, teamId, { type: "qa", name, config: {} }));
  await tx`
    insert into public.knowledge_sources (team_id, knowledge_id, source_id) values (${teamId}, ${chosen.id}, ${sourceId})`;
  return { sourceId, knowledgeIds };
}

const comparedPassages = 20;

/** Contradicting passages in the knowledge bases, as far as the caller may read them. Compares words only, without a model. */
export async function contradictionsOf(
  claims: Claims,
  { teamId, knowledgeIds }: { teamId: string; knowledgeIds: string[] },
  entry: { question: string; answer: string; documentId: string | null },
): Promise<Contradiction[]> {
  const models = await readTeamModels({ teamId, agentId: null, channel: "gaps" });
  const hits = await retrieve(claims, models, {
    knowledgeIds,
    spaces: [],
    question: `${entry.question}\n${entry.answer}`.slice(0, 4000),
    results: comparedPassages,
    mode: "text",
  });
  const others = hits.filter(({ documentId }) => documentId !== entry.documentId);
  const told = contradictionsIn(entry, others).map(({ passage, said, quote }) => ({
    documentId: passage.documentId,
    sourceId: passage.sourceId,
    title: passage.title,
    said,
    quote,
  }));
  // A document in two knowledge bases counts once.
  return [...new Map(told.map((one) => [`${one.documentId} ${one.quote}`, one])).values()].slice(0, 10);
}
