// Owns the endpoints for handovers: requesting one in a chat, and the team's inbox.
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ErrorDetail } from "../../_shared/requests/errors.ts";
import { hitsOfLimit, type Limit } from "../../_shared/requests/limits.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { calledTeam, inTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { languageOf } from "../language.ts";
import { routes } from "../route.ts";
import {
  type AppEnv,
  addressesOf,
  claimsOf,
  inputOf,
  json,
  jsonBody,
  refuseInvalid,
  router,
  teamWith,
} from "../router.ts";
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

/** The refusal of a visitor's body without an email. */
function missingEmail(body: unknown, c: Context<AppEnv>): ErrorDetail[] {
  const lacksEmail = typeof body === "object" && body !== null && !("email" in body);
  return lacksEmail && mustLeaveAddress(claimsOf(c)) ? [{ path: "email", ...refusal("required") }] : [];
}

/** Mounted at /v1/chats. */
export const chatHandovers = router()
  .openapi(
    route({
      method: "post",
      path: "/{chatId}/handover",
      access: "someone",
      summary: "Request a handover in a chat",
      description:
        "Requires permission to write in the chat. The team receives a mail, the event `handover.created` if it has a webhook, " +
        "and a row in its inbox. While a handover is open, the request returns it. CONFLICT if the team offers no handovers.",
      request: { params: inChat, body: jsonBody(handoverInput) },
      responses: { 200: json(handover, "It was open already"), 201: json(handover, "Created") },
    }),
    async (c) => {
      const { chatId } = c.req.valid("param");
      const { email, message } = c.req.valid("json");
      const { caller } = c.var;
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
    (result, c) => refuseInvalid(result, result.target === "json" ? missingEmail(inputOf(result), c) : []),
  )
  .openapi(
    route({
      method: "get",
      path: "/{chatId}/handover",
      access: "someone",
      summary: "Read whether a handover can be requested in a chat, and its latest one",
      request: { params: inChat },
      responses: { 200: json(chatHandover) },
    }),
    async (c) => c.json(await readChatHandover(claimsOf(c), c.req.valid("param").chatId), 200),
  );

/** The team's id, for a caller who also reads everyone's chats, which the mails and the event quote. */
const readersTeam = (c: Context<AppEnv>) => workInTeam(c, (tx, teamId) => teamWith(tx, teamId, "chats.read"));

/** Mounted at /v1/teams. */
export const teamHandovers = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/handovers",
      permission: "chats.read",
      summary: "List a team's handovers, newest first",
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
      summary: "Read a team's handover settings",
      description: "Includes the webhook's last delivery. The secret is not shown again.",
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
      summary: "Update a team's handover settings",
      description:
        "Also requires permission to read everyone's chats, which the mails and the event quote. Absent fields keep their values. " +
        "Setting the first webhook URL creates a secret, which only this response contains.",
      request: { params: inTeam, body: jsonBody(settingsUpdate) },
      responses: { 200: json(handoverSettings) },
    }),
    async (c) => c.json(await changeSettings(await readersTeam(c), c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/handovers/settings/secret",
      permission: "team.update",
      access: "user",
      summary: "Rotate a team's webhook secret",
      description:
        "Also requires permission to read everyone's chats. The previous secret stops signing immediately. Only this response contains the new one.",
      request: { params: inTeam },
      responses: { 201: json(handoverSettings, "Created") },
    }),
    async (c) => c.json(await rotateSecret(await readersTeam(c)), 201),
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/handovers/{id}",
      permission: "chats.read",
      summary: "Read a handover and its deliveries",
      description: "For its messages: GET /v1/chats/{chatId}/messages.",
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
      versioned: true,
      summary: "Answer a handover",
      description:
        "Also requires permission to write in chats. The answer is added to the chat as a message by the person, and sent by mail or to the Slack thread. CONFLICT for a closed handover. " +
        "With the handover's `updatedAt` as If-Match, only the first of several answers at once is added.",
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
      description:
        "Also requires permission to write in chats. Idempotent. A person without an answer is told by mail or in the Slack thread.",
      request: { params: oneInTeam },
      responses: { 200: json(handover) },
    }),
    async (c) => {
      const closed = await closeHandover(c, c.req.valid("param").id);
      kickIndexing();
      return c.json(closed, 200);
    },
  );
