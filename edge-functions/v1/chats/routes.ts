// Owns the endpoints for chats: starting, finding, rating, naming and summarizing them.

import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  asCaller,
  asCallerThenService,
  type Claims,
  readAsCaller,
  type Transaction,
} from "../../_shared/database/db.ts";
import { type Caller, signVisitorToken } from "../../_shared/requests/auth.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { takeWithin } from "../../_shared/requests/limits.ts";
import { requireAllowedSite } from "../agents/allowed-site.ts";
import { cursorPageOf } from "../cursors.ts";
import { inTeam, readInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import {
  type AppEnv,
  addressesOf,
  claimsOf,
  json,
  jsonBody,
  requireChange,
  requireRow,
  router,
} from "../router.ts";
import * as queries from "./queries.ts";
import {
  chat,
  chatsQuery,
  feedbackInput,
  newChat,
  startedChat,
  summaryInput,
  summaryOutput,
  teamChatsQuery,
  titleInput,
  titleOutput,
} from "./schema.ts";
import { summarise, titleFor } from "./texts.ts";
import { chatHits } from "./visitors.ts";

const route = routes({ tags: ["Chats"], access: "someone" });

const ofAgent = z.object({ agentId: z.uuid() });
const oneOfAgent = ofAgent.extend({ chatId: z.uuid() });

/** A person without an account becomes a visitor with their first chat. */
async function nameVisitor(caller: Caller): Promise<{ claims: Claims; visitorToken?: string }> {
  if (caller.kind !== "anonymous" && caller.kind !== "visitor") return { claims: caller.claims };
  const id = caller.kind === "visitor" ? caller.id : crypto.randomUUID();
  return { claims: { role: "anon", visitor_id: id }, visitorToken: await signVisitorToken(id) };
}

/** Changes a chat that the caller can see. */
async function change<T>(
  c: Context<AppEnv>,
  place: queries.Place,
  work: (tx: Transaction) => Promise<T | undefined>,
): Promise<T> {
  return await asCaller(claimsOf(c), async (tx) =>
    requireChange(await work(tx), () => queries.readChat(tx, place)),
  );
}

/** Mounted at /v1/agents. */
export const agentChats = router()
  .openapi(
    route({
      method: "post",
      path: "/{agentId}/chats",
      access: "anyone",
      summary: "Start a chat with an agent",
      description: "Members with their team's agents; anyone with a public agent, without a login.",
      request: { params: ofAgent, body: { ...jsonBody(newChat), required: false } },
      responses: { 201: json(startedChat, "Created") },
    }),
    async (c) => {
      const { agentId } = c.req.valid("param");
      const { title, channel } = c.req.valid("json");
      const { caller } = c.var;
      const site = c.req.header("Origin");
      if (channel === "widget" && site)
        await readAsCaller({ role: "anon" }, (tx) => requireAllowedSite(tx, agentId, site));
      const { claims, visitorToken } = await nameVisitor(caller);
      const started = await asCallerThenService(
        claims,
        async (tx) => {
          const usual = caller.kind === "apiKey" ? "api" : "web";
          return requireRow(await queries.startChat(tx, { agentId, title, channel: channel ?? usual }));
        },
        async (tx, { chat, isOwn }) => {
          await takeWithin(tx, chatHits(caller, addressesOf(c), isOwn));
          return chat;
        },
      );
      return c.json({ ...started, visitorToken }, 201);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{agentId}/chats",
      summary: "List an agent's chats, newest first",
      description: "All chats with the permission to read them, else the caller's own.",
      request: { params: ofAgent, query: chatsQuery },
      responses: { 200: json(cursorPageOf(chat)) },
    }),
    async (c) => {
      const { agentId } = c.req.valid("param");
      const page = await readAsCaller(claimsOf(c), async (tx) => {
        const [isThere, listed] = await Promise.all([
          queries.canSeeAgent(tx, agentId),
          queries.listChats(tx, { agentId }, c.req.valid("query")),
        ]);
        if (!isThere) throw new ApiError("NOT_FOUND");
        return listed;
      });
      return c.json(page, 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{agentId}/chats/{chatId}",
      summary: "Read a chat",
      request: { params: oneOfAgent },
      responses: { 200: json(chat) },
    }),
    async (c) => {
      const place = c.req.valid("param");
      return c.json(requireRow(await readAsCaller(claimsOf(c), (tx) => queries.readChat(tx, place))), 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{agentId}/chats/{chatId}/feedback",
      summary: "Rate a chat",
      request: { params: oneOfAgent, body: jsonBody(feedbackInput) },
      responses: { 200: json(chat) },
    }),
    async (c) => {
      const place = c.req.valid("param");
      return c.json(await change(c, place, (tx) => queries.rateChat(tx, place, c.req.valid("json"))), 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{agentId}/chats/{chatId}/title",
      summary: "Set a chat's title",
      description: "Generated by the model from the messages if none is given.",
      request: { params: oneOfAgent, body: { ...jsonBody(titleInput), required: false } },
      responses: { 200: json(titleOutput) },
    }),
    async (c) => {
      const place = c.req.valid("param");
      const given = c.req.valid("json").title;
      const title = given ?? (await titleFor(c, place));
      const row = await change(c, place, (tx) => queries.updateChat(tx, place, { title }));
      return c.json({ title: row.title }, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{agentId}/chats/{chatId}/summary",
      summary: "Generate a chat's summary",
      request: { params: oneOfAgent },
      responses: { 200: json(summaryOutput) },
    }),
    async (c) => {
      const place = c.req.valid("param");
      const summary = await summarise(c, place);
      await change(c, place, (tx) => queries.updateChat(tx, place, { summary }));
      return c.json({ summary }, 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{agentId}/chats/{chatId}/summary",
      summary: "Set a chat's summary",
      request: { params: oneOfAgent, body: jsonBody(summaryInput) },
      responses: { 200: json(summaryOutput) },
    }),
    async (c) => {
      const place = c.req.valid("param");
      const { summary } = c.req.valid("json");
      await change(c, place, (tx) => queries.updateChat(tx, place, { summary }));
      return c.json({ summary }, 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{agentId}/chats/{chatId}/summary",
      summary: "Delete a chat's summary",
      request: { params: oneOfAgent },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const place = c.req.valid("param");
      await asCaller(claimsOf(c), async (tx) => {
        const { summary } = requireRow(await queries.readChat(tx, place));
        if (summary === null) throw new ApiError("NOT_FOUND");
        await requireChange(await queries.updateChat(tx, place, { summary: null }), async () => true);
      });
      return c.body(null, 204);
    },
  );

/** Mounted at /v1/chats. */
export const chats = router().openapi(
  route({
    method: "get",
    path: "/{chatId}",
    summary: "Read a chat without its agent's id",
    request: { params: oneOfAgent.pick({ chatId: true }) },
    responses: { 200: json(chat) },
  }),
  async (c) => {
    const place = c.req.valid("param");
    return c.json(requireRow(await readAsCaller(claimsOf(c), (tx) => queries.readChat(tx, place))), 200);
  },
);

/** Mounted at /v1/teams. */
export const teamChats = router().openapi(
  route({
    method: "get",
    path: "/{teamId}/chats",
    permission: "team.read",
    summary: "List a team's chats, newest first",
    description: "All chats with the permission to read them, else the caller's own.",
    request: { params: inTeam, query: teamChatsQuery },
    responses: { 200: json(cursorPageOf(chat)) },
  }),
  async (c) => {
    const { agentId, ...query } = c.req.valid("query");
    return c.json(
      await readInTeam(c, (tx, team) => queries.listChats(tx, { teamId: team, agentId }, query)),
      200,
    );
  },
);
