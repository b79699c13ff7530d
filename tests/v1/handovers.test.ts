// Handovers from a chat to a person: who may request one, what is stored, and who reads it.
import { createHash, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import {
  anyone,
  as,
  type Client,
  owner as database,
  newMember,
  newPerson,
  newTeam,
  type Team,
  uniqueEmail,
} from "../support/api.ts";
import { newAgent, newKnowledge } from "../support/content.ts";
import { askedChat, visitorChat } from "../support/handovers.ts";
import { systemRoleIds } from "../support/permissions.ts";

let team: Team;
let agentId: string;
beforeAll(async () => {
  team = await newTeam("Handover Team");
  agentId = await newAgent(team, { name: "Handbook", visibility: "public" });
});

const consent = true;
const newChat = (of = agentId) => visitorChat(of);
const createAskedChat = (of = agentId, values = {}) => askedChat(of, values);
const at = (id: string, rest = "") => `${team.path}/handovers/${id}${rest}`;
const settings = (of = team) => `${of.path}/handovers/settings`;
const deliveriesOf = async (id: string) => (await team.owner.get(at(id))).body.deliveries;

describe("requesting a handover", () => {
  test("stores the person, the chat and the consent, once", async () => {
    const knowledge = await newKnowledge(team, { "leave.md": "Employees have 27 days of paid leave." });
    const agentId = await newAgent(team, {
      name: "Handbook",
      visibility: "public",
      knowledgeIds: [knowledge.id],
    });
    const { visitor, chatId, path } = await newChat(agentId);
    await visitor.post(`/v1/chats/${chatId}/messages`, { content: "How do I get a new badge?" });
    expect((await visitor.get(path)).body).toEqual({ isOffered: true, needsEmail: true, handover: null });
    const email = uniqueEmail("Ada").toUpperCase();
    const first = await visitor.post(path, { email, message: " Call me.\nSoon. ", consent });
    expect(first).toMatchObject({
      status: 201,
      body: {
        teamId: team.id,
        chatId,
        agentId,
        agentName: "Handbook",
        channel: "web",
        title: "How do I get a new badge?",
        status: "open",
        reason: "notFound",
        email: email.toLowerCase(),
        message: "Call me.\nSoon.",
        summary: expect.stringContaining("How do I get a new badge?"),
        consent: { version: expect.any(String), at: expect.any(String) },
        answeredAt: null,
        closedAt: null,
      },
    });
    const again = await visitor.post(path, { email: uniqueEmail(), consent });
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id, email: email.toLowerCase() } });
    const read = await visitor.get(path);
    expect(read.body).toMatchObject({ isOffered: true, handover: { id: first.body.id, status: "open" } });
    const listed = await team.owner.get(`${team.path}/handovers?status=open`);
    expect(listed.body.data.filter((one: { chatId: string }) => one.chatId === chatId)).toHaveLength(1);
  });

  test("works in the widget, whose host lets its own calls through alone", async () => {
    const { visitor, chatId } = await newChat();
    const sdk = `http://127.0.0.1:${3001 + Number(process.env.PARLEY_PORT_OFFSET ?? 0)}`;
    const headers = {
      origin: sdk,
      "content-type": "application/json",
      "x-visitor-token": visitor.visitorToken,
    };
    const call = (rest: string, init = {}) => fetch(`${sdk}/v1/chats/${chatId}${rest}`, { headers, ...init });
    const body = JSON.stringify({ email: uniqueEmail(), consent });
    expect((await call("/handover", { method: "POST", body })).status).toBe(201);
    expect(await (await call("/handover")).json()).toMatchObject({ handover: { status: "open" } });
    expect((await call("")).status).toBe(404);
  });

  test("many times at once notifies the team once", async () => {
    const { visitor, path } = await newChat();
    const email = uniqueEmail();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => visitor.post(path, { email, consent })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await deliveriesOf(answers[0]?.body.id)).toHaveLength(1);
  });

  test("needs consent, and a valid address from a visitor", async () => {
    const { visitor, path } = await newChat();
    const email = uniqueEmail();
    for (const body of [
      { email },
      { email, consent: false },
      { email, consent: "yes" },
      { consent },
      { email: "nobody", consent },
      { email: `a@b.c\nBcc: ${email}`, consent },
      { email, consent, message: "x".repeat(2001) },
      { email, consent, status: "closed" },
    ]) {
      expect(await visitor.post(path, body), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_FAILED" },
      });
    }
    for (const [body, ...fields] of [
      [{}, "consent", "email"],
      [{ consent }, "email"],
      [{ email }, "consent"],
    ] as const) {
      const { details } = (await visitor.post(path, body)).body;
      expect(details).toMatchObject(fields.map((field) => ({ path: field, code: "required" })));
    }
    expect((await team.owner.post(path, {})).body.details).toMatchObject([{ path: "consent" }]);
    expect((await visitor.get(path)).body.handover).toBeNull();
  });

  test("is for those who may write in the chat", async () => {
    const { chatId, path } = await newChat();
    const editor = await newMember(team, "editor");
    const stranger = await newChat();
    expect((await anyone.post(path, { email: uniqueEmail(), consent })).status).toBe(401);
    expect((await stranger.visitor.post(path, { email: uniqueEmail(), consent })).status).toBe(404);
    expect((await (await newPerson()).post(path, { consent })).status).toBe(404);
    // An editor reads the chat, but it belongs to somebody else.
    expect((await editor.post(path, { consent })).status).toBe(403);
    expect((await editor.get(path)).body).toMatchObject({ isOffered: false, handover: null });
    expect((await team.owner.post(`/v1/chats/${randomUUID()}/handover`, { consent })).status).toBe(404);
    const sql = await database();
    expect(await sql`select 1 from public.handovers where chat_id = ${chatId}`).toHaveLength(0);
  });

  test("needs no address from a member or an API key", async () => {
    const viewer = await newMember(team, "viewer");
    const { key } = (await team.owner.post(`${team.path}/apiKeys`, { name: "Key" })).body;
    for (const client of [viewer, as(key)]) {
      const { body: chat } = await client.post(`/v1/agents/${agentId}/chats`, {});
      const path = `/v1/chats/${chat.id}/handover`;
      expect((await client.get(path)).body).toMatchObject({ isOffered: true, needsEmail: false });
      expect(await client.post(path, { consent })).toMatchObject({
        status: 201,
        body: { email: null, reason: "requested" },
      });
    }
  });

  test("states the reason: a reply that was rated down", async () => {
    const { visitor, chatId, path } = await newChat();
    const sql = await database();
    const [reply] = await sql<{ id: string }[]>`
      insert into public.messages (chat_id, role, content) values (${chatId}, 'assistant', 'Said') returning id`;
    await visitor.post(`/v1/chats/${chatId}/messages/${reply?.id}/feedback`, { rating: "down" });
    expect((await visitor.post(path, { email: uniqueEmail(), consent })).body.reason).toBe("ratedDown");
  });

  test("is refused where the team offers none, and by its limits", async () => {
    const other = await newTeam();
    const quiet = await newAgent(other, { visibility: "public" });
    expect((await other.owner.put(settings(other), { isOffered: false })).status).toBe(200);
    const { visitor, path } = await newChat(quiet);
    expect((await visitor.get(path)).body.isOffered).toBe(false);
    expect(await visitor.post(path, { email: uniqueEmail(), consent })).toMatchObject({
      status: 409,
      body: { details: [{ code: "nobodyOffered" }] },
    });

    const email = uniqueEmail("flooded");
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      const chat = await newChat();
      statuses.push((await chat.visitor.post(chat.path, { email, consent })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(201), 429, 429]);
  });
});

describe("the inbox", () => {
  test("is for readers of everyone's chats, in that team only", async () => {
    const { handover, email } = await createAskedChat();
    const [viewer, stranger] = [await newMember(team, "viewer"), (await newTeam()).owner];
    const tries: [Client, number][] = [
      [viewer, 403],
      [stranger, 404],
      [anyone, 401],
    ];
    for (const [client, status] of tries) {
      expect((await client.get(`${team.path}/handovers`)).status).toBe(status);
      expect((await client.get(at(handover.id))).status).toBe(status);
      expect((await client.post(at(handover.id, "/answer"), { content: "Mine" })).status).toBe(status);
      expect((await client.post(at(handover.id, "/close"))).status).toBe(status);
    }
    const { body: other } = await stranger.get("/v1/teams");
    const theirs = `/v1/teams/${other.data[0].id}/handovers/${handover.id}`;
    expect((await stranger.get(theirs)).status).toBe(404);
    expect((await stranger.post(`${theirs}/answer`, { content: "Mine" })).status).toBe(404);
    expect((await stranger.post(`${theirs}/close`)).status).toBe(404);
    expect((await team.owner.get(at(handover.id))).body).toMatchObject({ status: "open", email });

    // A requester does not handle their own handover.
    const { body: chat } = await viewer.post(`/v1/agents/${agentId}/chats`, {});
    const own = await viewer.post(`/v1/chats/${chat.id}/handover`, { consent });
    expect((await viewer.post(at(own.body.id, "/answer"), { content: "Myself" })).status).toBe(403);
  });

  test("lists by status and agent, newest first, paged", async () => {
    const other = await newTeam();
    const [one, two] = [
      await newAgent(other, { visibility: "public" }),
      await newAgent(other, { visibility: "public" }),
    ];
    const made = [await createAskedChat(one), await createAskedChat(two), await createAskedChat(one)].map(
      ({ handover }) => handover.id,
    );
    const list = async (query: string) => (await other.owner.get(`${other.path}/handovers?${query}`)).body;
    await other.owner.post(`${other.path}/handovers/${made[0]}/close`);
    const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
    expect(ids(await list(""))).toEqual(made.toReversed());
    expect(ids(await list(`agentId=${one}`))).toEqual([made[2], made[0]]);
    expect(ids(await list("status=open"))).toEqual([made[2], made[1]]);
    expect(await list("page=2&perPage=2")).toMatchObject({
      page: 2,
      perPage: 2,
      total: 3,
      data: [{ id: made[0] }],
    });
    expect((await other.owner.get(`${other.path}/handovers?status=lost`)).status).toBe(400);
  });

  test("of several answers at once, the first arrives, and the others are told", async () => {
    const { handover } = await createAskedChat();
    const answer = (content: string, seen = handover.updatedAt) =>
      team.owner.post(at(handover.id, "/answer"), { content }, { headers: { "If-Match": `"${seen}"` } });
    const answers = await Promise.all(["One.", "Two.", "Three."].map((content) => answer(content)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const { body: now } = await team.owner.get(at(handover.id));
    const refused = answers.filter(({ status }) => status === 409);
    for (const { body } of refused)
      expect(body).toMatchObject({ code: "CHANGED_MEANWHILE", current: { updatedAt: now.updatedAt } });
    const { body: messages } = await team.owner.get(`/v1/chats/${handover.chatId}/messages`);
    const written = messages.data.filter(({ author }: { author: object | null }) => author);
    expect(written).toHaveLength(1);
    expect(now.deliveries.filter(({ kind }: { kind: string }) => kind === "answerMail")).toHaveLength(1);
    expect((await answer("Four.", now.updatedAt)).status).toBe(201);
    await team.owner.post(at(handover.id, "/close"));
    expect((await answer("Five.")).body.code).toBe("CONFLICT");
  });

  test("a person's answers are limited over all their teams", async () => {
    const { handover } = await createAskedChat();
    const sql = await database();
    // The next window too: this may run into it.
    const fill = (hits: number) => sql`
      insert into private.rate_limits (key, window_start, hits)
      select ${`handover:answersBy:${team.owner.id}`}, date_trunc('hour', now()) + make_interval(hours => n), ${hits}
        from generate_series(0, 1) n
      on conflict (key, window_start) do update set hits = excluded.hits`;
    await fill(200);
    const answer = () => team.owner.post(at(handover.id, "/answer"), { content: "Mine" });
    expect((await answer()).status).toBe(429);
    expect((await deliveriesOf(handover.id)).map(({ kind }: { kind: string }) => kind)).toEqual(["teamMail"]);
    await fill(0);
    expect((await answer()).status).toBe(201);
    // A request is closed beyond them, too, without a word to its address.
    const other = await createAskedChat();
    await fill(200);
    expect((await team.owner.post(at(other.handover.id, "/close"))).body.status).toBe("closed");
    expect((await deliveriesOf(other.handover.id)).map(({ kind }: { kind: string }) => kind)).toEqual([
      "teamMail",
    ]);
    await fill(0);
  });

  test("an address gets so many answers a day, from all teams together", async () => {
    const { handover, email } = await createAskedChat();
    const sql = await database();
    const digest = createHash("sha256").update(email.toLowerCase()).digest("base64url");
    const fill = (hits: number) => sql`
      insert into private.rate_limits (key, window_start, hits)
      select ${`handover:mailsOfDay:${digest}`}, date_trunc('day', now(), 'UTC') + make_interval(days => n), ${hits}
        from generate_series(0, 1) n
      on conflict (key, window_start) do update set hits = excluded.hits`;
    const answer = () => team.owner.post(at(handover.id, "/answer"), { content: "Yours" });
    await fill(39);
    expect((await answer()).status).toBe(201);
    await fill(40);
    expect((await answer()).status).toBe(429);
  });

  test("its settings are changed by those who may change the team, and by no key", async () => {
    const editor = await newMember(team, "editor");
    const { key } = (
      await team.owner.post(`${team.path}/apiKeys`, {
        name: "Admin",
        roleId: systemRoleIds.admin,
      })
    ).body;
    for (const client of [editor, as(key)]) {
      expect((await client.put(settings(), { isOffered: false })).status).toBe(403);
      expect((await client.post(`${settings()}/secret`)).status).toBe(403);
    }
    expect((await editor.get(settings())).status).toBe(403);
    // Who is notified receives what visitors wrote.
    const role = await team.owner.post("/v1/roles", {
      teamId: team.id,
      name: "Namer",
      permissions: ["team.read", "team.update"],
    });
    const namer = await newMember(team, role.body.id);
    expect((await namer.get(settings())).status).toBe(200);
    expect((await namer.put(settings(), { emails: [namer.email] })).status).toBe(403);
    expect((await namer.post(`${settings()}/secret`)).status).toBe(403);
    expect((await team.owner.get(settings())).body.emails).not.toContain(namer.email);
    expect((await (await newTeam()).owner.get(settings())).status).toBe(404);
    expect((await team.owner.put(settings(), { emails: ["no address"] })).status).toBe(400);
    expect((await team.owner.put(settings(), { secret: "mine" })).status).toBe(400);
  });
});

test("insights distinguish confirmed help from silence", async () => {
  const other = await newTeam();
  const agent = await newAgent(other, { visibility: "public" });
  const ask = async () => {
    const chat = await newChat(agent);
    const { body } = await chat.visitor.post(`/v1/chats/${chat.chatId}/messages`, { content: "Where?" });
    return { ...chat, rate: `/v1/chats/${chat.chatId}/messages/${body.reply.id}/feedback` };
  };
  const [good, bad, handed] = [await ask(), await ask(), await ask(), await ask(), await ask()];
  await good.visitor.post(good.rate, { rating: "up" });
  await bad.visitor.post(bad.rate, { rating: "down" });
  await handed.visitor.post(handed.path, { email: uniqueEmail(), consent });
  const { body } = await other.owner.get(`${other.path}/insights/chats`);
  expect(body.total).toMatchObject({ chats: 5, helped: 1, silent: 2, handovers: 1, up: 1, down: 1 });
});
