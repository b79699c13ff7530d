// Owns the endpoints for gaps: questions that agents could not answer, and writing the answer.
import type { LanguageCode } from "../../../locales/registry.ts";
import { say } from "../../../locales/say.ts";
import { asCaller } from "../../_shared/database/db.ts";
import { changeInTeam, inTeam, oneInTeam, workInTeam } from "../in-team.ts";
import { inWords, languageOf } from "../language.ts";
import { routes } from "../route.ts";
import { claimsOf, json, jsonBody, pageOf, requireRow, router } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { answerGap, contradictionsOf } from "./answering.ts";
import * as queries from "./queries.ts";
import { type Gap, gap, gapAnswer, gapAnswered, gapsQuery, gapUpdate, oneGap } from "./schema.ts";

const route = routes({ tags: ["Gaps"] });

/** Mounted at /v1/teams. */
export const gaps = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/gaps",
      permission: "chats.read",
      summary: "List questions without a good answer, grouped by meaning, those of the most people first",
      description:
        "Of the last 90 days: questions that agents found no or only a partial answer to, where documents disagree, and replies rated down. They are grouped within seconds.",
      request: { params: inTeam, query: gapsQuery },
      responses: { 200: json(pageOf(gap)) },
    }),
    async (c) => {
      const { wait, page, language } = await workInTeam(c, async (tx, team) => ({
        page: await queries.listGaps(tx, team, c.req.valid("query")),
        wait: await queries.hasWaitingQuestions(tx, team),
        language: await languageOf(c, tx),
      }));
      if (wait) kickIndexing();
      return c.json({ ...page, data: page.data.map((row) => translate(row, language)) }, 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/gaps/{id}",
      permission: "chats.read",
      summary: "Read a gap, and where documents contradict its answer",
      request: { params: oneInTeam },
      responses: { 200: json(oneGap) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { row, knowledges } = await workInTeam(c, async (tx, team) => {
        const row = translate(requireRow(await queries.readGap(tx, team, id)), await languageOf(c, tx));
        return { row, knowledges: await queries.knowledgesOf(tx, team, row.agentId) };
      });
      const place = { teamId: row.teamId, knowledgeIds: knowledges.map((one) => one.id) };
      const contradictions = row.entry ? await contradictionsOf(claimsOf(c), place, row.entry) : [];
      return c.json({ ...row, contradictions }, 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{teamId}/gaps/{id}",
      permission: "chats.read",
      summary: "Dismiss or reopen a gap",
      request: { params: oneInTeam, body: jsonBody(gapUpdate) },
      responses: { 200: json(gap) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const isDismissed = c.req.valid("json").state === "dismissed";
      const row = await changeInTeam(c, {
        change: (tx, team) => queries.dismissGap(tx, team, id, isDismissed),
        read: (tx, team) => queries.readGap(tx, team, id),
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/gaps/{id}/answer",
      permission: "sources.write",
      summary: "Write the answer to a gap",
      description:
        "Creates a reviewed entry in the written answers of one of the agent's knowledge bases, which are created if missing, and " +
        "a test of the agent. Once the entry is indexed, the gap's questions are asked again: the gap's `again` says how many are " +
        "answered now.",
      request: { params: oneInTeam, body: jsonBody(gapAnswer) },
      responses: { 201: json(gapAnswered, "Created") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const language = await asCaller(claimsOf(c), (tx) => languageOf(c, tx));
      const nameSource = (name: string) => say(language, "names:writtenAnswers", { name });
      const made = await answerGap(c, id, nameSource, c.req.valid("json"));
      kickIndexing();
      return c.json(made, 201);
    },
  );

const translate = (row: Gap, language: LanguageCode): Gap => ({
  ...row,
  again: row.again && inWords(row.again, language),
});
