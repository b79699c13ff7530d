// Owns the calls for handovers: asking for a person in a chat, and the team's inbox of what was asked.
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { ApiError } from "../../_shared/requests/errors.ts";
import { hitsOfLimit, type Limit } from "../../_shared/requests/limits.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { inTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { languageOf } from "../language.ts";
import { routes } from "../route.ts";
import { type AppEnv, addressesOf, claimsOf, json, jsonBody, router } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { answerHandover, closeHandover, readWithDeliveries } from "./answering.ts";
import { askForPerson, mustLeaveAddress, readChatHandover } from "./asking.ts";
import { listHandovers } from "./queries.ts";
import {
  answered,
  answerInput,
  chatHandover,
  consentVersion,
  handover,
  handoverInput,
  handoverList,
  handoverSettings,
  handoversQuery,
  oneHandover,
  settingsUpdate,
} from "./schema.ts";
import { changeSettings, readSettings, rotateSecret } from "./settings.ts";

const route = routes({ tags: ["Handovers"] });
const inChat = z.object({ chatId: z.uuid() });

const limit: Limit = { windowSeconds: 3600, perAddress: 20, perSubject: 10 };

/** Mounted at /v1/chats. */
export const chatHandovers = router()
  .openapi(
    route({
      method: "post",
      path: "/{chatId}/handover",
      access: "someone",
      summary: "Ask for a person of the team in a chat",
      description:
        "For whoever may write in the chat. The team gets a mail, the event `handover.created` where it has a webhook, and a row in its inbox. While one is open, asking again gives that one. CONFLICT where the team offers nobody.",
      request: { params: inChat, body: jsonBody(handoverInput) },
      responses: { 200: json(handover, "It was open already"), 201: json(handover, "Created") },
    }),
    async (c) => {
      const { chatId } = c.req.valid("param");
      const { email, message } = c.req.valid("json");
      const { caller } = c.var;
      if (!email && mustLeaveAddress(caller.claims))
        throw new ApiError("VALIDATION_FAILED", undefined, {
          details: [{ path: "email", ...refusal("required") }],
        });
      const asked = await askForPerson(caller.claims, chatId, {
        email,
        message,
        consentVersion,
        language: (tx) => languageOf(c, tx),
        hits: hitsOfLimit("handover", limit, addressesOf(c), "id" in caller ? caller.id : undefined),
      });
      if (asked.isNew) kickIndexing();
      return c.json(asked.handover, asked.isNew ? 201 : 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{chatId}/handover",
      access: "someone",
      summary: "Read whether a person can be asked for in a chat, and was",
      request: { params: inChat },
      responses: { 200: json(chatHandover) },
    }),
    async (c) => c.json(await readChatHandover(claimsOf(c), c.req.valid("param").chatId), 200),
  );

/** The id of the team, for a caller who has the call's permission there. */
const calledTeam = (c: Context<AppEnv>) => workInTeam(c, async (_tx, teamId) => teamId);

/** Mounted at /v1/teams. */
export const teamHandovers = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/handovers",
      permission: "chats.read",
      summary: "List who asked a team for a person, newest first",
      request: { params: inTeam, query: handoversQuery },
      responses: { 200: json(handoverList) },
    }),
    async (c) =>
      c.json(await readInTeam(c, (tx, team) => listHandovers(tx, team, c.req.valid("query"))), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/handovers/settings",
      permission: "team.update",
      summary: "Read how a team is told of handovers",
      description: "With the webhook's last delivery. The secret is not shown again.",
      request: { params: inTeam },
      responses: { 200: json(handoverSettings) },
    }),
    async (c) => c.json(await readSettings(await calledTeam(c)), 200),
  )
  .openapi(
    route({
      method: "put",
      path: "/{teamId}/handovers/settings",
      permission: "team.update",
      access: "user",
      summary: "Set how a team is told of handovers",
      description:
        "What is absent stays. The first webhook address comes with a secret, which this answer alone shows.",
      request: { params: inTeam, body: jsonBody(settingsUpdate) },
      responses: { 200: json(handoverSettings) },
    }),
    async (c) => c.json(await changeSettings(await calledTeam(c), c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/handovers/settings/secret",
      permission: "team.update",
      access: "user",
      summary: "Make a new secret for a team's webhook",
      description: "The one before signs nothing any more. This answer alone shows the new one.",
      request: { params: inTeam },
      responses: { 201: json(handoverSettings, "Created") },
    }),
    async (c) => c.json(await rotateSecret(await calledTeam(c)), 201),
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/handovers/{id}",
      permission: "chats.read",
      summary: "Read a handover, and what became of what it sent",
      description: "What was said: GET /v1/chats/{chatId}/messages.",
      request: { params: oneInTeam },
      responses: { 200: json(oneHandover) },
    }),
    async (c) => c.json(await readWithDeliveries(c, c.req.valid("param").id), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/handovers/{id}/answer",
      permission: "chats.read",
      summary: "Answer a handover",
      description:
        "For those who may also write in chats. The answer stands in the chat as a message whose author is the person, and goes out by mail or into the Slack thread. CONFLICT for one that is closed.",
      request: { params: oneInTeam, body: jsonBody(answerInput) },
      responses: { 201: json(answered, "Created") },
    }),
    async (c) => {
      const given = await answerHandover(c, c.req.valid("param").id, c.req.valid("json").content);
      kickIndexing();
      return c.json(given, 201);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/handovers/{id}/close",
      permission: "chats.read",
      summary: "Close a handover",
      description: "For those who may also write in chats. Closing again changes nothing.",
      request: { params: oneInTeam },
      responses: { 200: json(handover) },
    }),
    async (c) => c.json(await closeHandover(c, c.req.valid("param").id), 200),
  );
