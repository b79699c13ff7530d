// Deliveries of a handover: mails and signed webhook events to the team, and a person's answer in the chat and by mail.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { disarm } from "../../edge-functions/_shared/mail/disarm.ts";
import { say } from "../../locales/say.ts";
import {
  as,
  owner as database,
  mailsTo,
  mailTo,
  newMember,
  newPerson,
  newTeam,
  type Person,
  type Team,
  uniqueEmail,
} from "../support/api.ts";
import { newAgent, until } from "../support/content.ts";
import { isSigned, startWebhookFake, type WebhookFake } from "../support/fakes/webhook.ts";
import { askedChat, visitorChat } from "../support/handovers.ts";

/** The port that the stack may call: tests/support/runner/one-stack.mjs. */
const servicePort = 54342 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);

let receiver: WebhookFake;
let team: Team;
let agentId: string;
beforeAll(async () => {
  receiver = await startWebhookFake(servicePort);
  team = await newTeam("Handover Team");
  agentId = await newAgent(team, { name: "Handbook", visibility: "public" });
});
afterAll(() => receiver.stop());

const consent = true;
const newChat = (of = agentId) => visitorChat(of);
const createAskedChat = (of = agentId, values = {}) => askedChat(of, values);
const at = (id: string, rest = "") => `${team.path}/handovers/${id}${rest}`;
const settings = (of = team) => `${of.path}/handovers/settings`;
const deliveriesOf = async (id: string) => (await team.owner.get(at(id))).body.deliveries;

describe("the team is notified", () => {
  test("by mail, with the visitor's words as plain text", async () => {
    const evil = '<img src=x onerror=alert(1)> <a href="https://evil.example">click</a>';
    const { handover } = await createAskedChat(agentId, { message: evil });
    const mail = await mailTo(team.owner.email, ({ text }) => text.includes(handover.id));
    expect(mail.subject).toBe(say("en", "mails:handover.subject", { agent: "Handbook" }));
    expect(mail.text).toContain(disarm(evil));
    expect(mail.text + mail.html).not.toContain("evil.example");
    expect(mail.html).not.toContain("<img");
    expect(mail.html).not.toContain('href="https://evil.example"');
    expect(mail.text).toContain(`/teams/${team.codename}/handovers/${handover.id}`);
  });

  test("at its configured addresses, in their language, except those of former members", async () => {
    const other = await newTeam();
    const agent = await newAgent(other, { visibility: "public", name: "Manuel" });
    const [left, french] = [await newMember(other, "editor"), await newMember(other, "editor")];
    await french.put(`/v1/users/${french.id}`, { locale: "fr" });
    const outside = uniqueEmail("support");
    const emails = [left.email, french.email, outside];
    expect((await other.owner.put(settings(other), { emails })).body.emails).toEqual(emails);
    expect((await other.owner.delete(`/v1/teamUsers/${other.id}/users/${left.id}`)).status).toBe(204);
    expect((await other.owner.get(settings(other))).body.emails).toEqual([french.email, outside]);
    await createAskedChat(agent);
    expect((await mailTo(french.email, ({ text }) => text.includes("Manuel"))).subject).toBe(
      say("fr", "mails:handover.subject", { agent: "Manuel" }),
    );
    await mailTo(outside);
    for (const address of [left.email, other.owner.email]) {
      expect((await mailsTo(address)).filter(({ subject }) => subject.includes("Manuel"))).toEqual([]);
    }
  });

  test("at a member's new address once it has changed", async () => {
    const other = await newTeam();
    const agent = await newAgent(other, { visibility: "public", name: "Moved" });
    const member = await newMember(other, "editor");
    const email = uniqueEmail("moved");
    await other.owner.put(settings(other), { emails: [member.email] });
    await (await database())`update auth.users set email = ${email} where id = ${member.id}`;
    expect((await other.owner.get(settings(other))).body.emails).toEqual([email]);
    await createAskedChat(agent);
    await mailTo(email, ({ subject }) => subject.includes("Moved"));
    expect((await mailsTo(member.email)).filter(({ subject }) => subject.includes("Moved"))).toEqual([]);
  });

  test("by one mail, whose repetition has the same Message-ID", async () => {
    const other = await newTeam();
    const agent = await newAgent(other, { visibility: "public", name: "Repeated" });
    const { handover } = await createAskedChat(agent);
    const waitForMails = async (count: number) =>
      await until(
        () => mailsTo(other.owner.email),
        (mails) => mails.filter(({ subject }) => subject.includes("Repeated")).length === count,
      );
    await waitForMails(1);
    const sql = await database();
    await until(
      () => sql<{ status: string }[]>`
        select status from private.handover_deliveries where handover_id = ${handover.id} and kind = 'teamMail'`,
      ([row]) => row?.status === "delivered",
    );
    // As if the worker had died before it stored the outcome.
    const rows = await sql`
      update private.handover_deliveries set status = 'queued', run_after = now()
       where handover_id = ${handover.id} and kind = 'teamMail' returning id`;
    const mails = (await waitForMails(2)).filter(({ subject }) => subject.includes("Repeated"));
    expect(mails.map(({ headers }) => headers["message-id"])).toEqual(
      Array(2).fill(expect.stringMatching(new RegExp(`^<${rows[0]?.id}@`))),
    );
  });

  test("by a delayed mail only while its recipient still may be", async () => {
    const other = await newTeam();
    const agent = await newAgent(other, { visibility: "public", name: "Delayed" });
    const [stays, left, banned, demoted] = await Promise.all(
      ["editor", "editor", "editor", "viewer"].map((role) => newMember(other, role)),
    );
    const [dropped, kept] = [uniqueEmail("dropped"), uniqueEmail("kept")];
    await other.owner.put(settings(other), { emails: [kept] });
    const { handover } = await createAskedChat(agent);
    await other.owner.delete(`/v1/teamUsers/${other.id}/users/${left?.id}`);
    const sql = await database();
    await sql`update public.users set banned_at = now() where id = ${banned?.id ?? ""}`;
    // As queued before, while the mail server was down.
    const to = [stays?.email, left?.email, banned?.email, demoted?.email, dropped, kept].map(String);
    await sql`
      insert into private.handover_deliveries (team_id, handover_id, kind, email)
      select ${other.id}, ${handover.id}, 'teamMail', email from unnest(${to}::text[]) email`;
    const outcomes = await until(
      () => sql<{ email: string; status: string }[]>`
        select email, status from private.handover_deliveries where handover_id = ${handover.id} order by id offset 1`,
      (rows) => rows.every(({ status }) => status !== "queued"),
    );
    expect(Object.fromEntries(outcomes.map(({ email, status }) => [email, status]))).toEqual(
      Object.fromEntries(to.map((email, at) => [email, at === 0 || at === 5 ? "delivered" : "failed"])),
    );
    for (const email of to.slice(1, 5))
      expect((await mailsTo(email)).filter(({ subject }) => subject.includes("Delayed"))).toEqual([]);
  });

  test("by a signed event, which is repeated with the same id after a failure", async () => {
    const first = await team.owner.put(settings(), { webhookUrl: receiver.url });
    expect(first).toMatchObject({ status: 200, body: { webhookUrl: receiver.url, hasSecret: true } });
    const { secret } = first.body;
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    const later = await team.owner.put(settings(), { isOffered: true });
    expect(later.body.secret).toBeUndefined();
    const sql = await database();
    const [row] = await sql`select secret from private.handover_settings where team_id = ${team.id}`;
    expect(Buffer.from(row?.secret).toString("latin1")).not.toContain(secret);

    receiver.answers.push(500);
    const { handover, chatId, email } = await createAskedChat(agentId, { message: "Please." });
    const came = () =>
      receiver.received.filter(({ body }) => JSON.parse(body).data.handover.id === handover.id);
    await until(
      async () => came().length,
      (count) => count >= 1,
    );
    await until(
      () => deliveriesOf(handover.id),
      (all) => all.some((one: { lastStatus: number | null }) => one.lastStatus === 500),
    );
    await until(
      async () => came().length,
      (count) => count >= 2,
    );
    const [before, after] = came();
    if (!before || !after) throw new Error("two were to come");
    const event = JSON.parse(after.body);
    expect(event).toMatchObject({
      type: "handover.created",
      teamId: team.id,
      data: {
        handover: { id: handover.id, chatId, email, message: "Please.", consent: handover.consent },
        chat: { id: chatId, channel: "web" },
        agent: { id: agentId, name: "Handbook" },
        transcript: [],
        url: expect.stringContaining(`/handovers/${handover.id}`),
      },
    });
    expect(after.headers["parley-event-id"]).toBe(event.id);
    expect(JSON.parse(before.body).id).toBe(event.id);
    for (const one of [before, after]) {
      expect(isSigned(one, secret)).toBe(true);
      expect(isSigned(one, `${secret}x`)).toBe(false);
      expect(isSigned({ ...one, body: `${one.body} ` }, secret)).toBe(false);
    }
    const settled = await until(
      () => deliveriesOf(handover.id),
      (all) => all.every((one: { status: string }) => one.status === "delivered"),
    );
    expect(settled.find((one: { kind: string }) => one.kind === "webhook")).toMatchObject({
      id: event.id,
      attempts: 2,
      lastStatus: 204,
      error: null,
    });
    expect((await team.owner.get(settings())).body.lastDelivery).toMatchObject({ id: event.id });

    const rotated = await team.owner.post(`${settings()}/secret`);
    expect(rotated).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) } });
    expect(rotated.body.secret).not.toBe(secret);
    const next = await createAskedChat();
    const [told] = await until(
      async () => receiver.received.filter(({ body }) => body.includes(next.handover.id)),
      (all) => all.length > 0,
    );
    expect(told && isSigned(told, rotated.body.secret)).toBe(true);
    expect(told && isSigned(told, secret)).toBe(false);
    await team.owner.put(settings(), { webhookUrl: null });
  });

  test("never inside our own network", async () => {
    for (const webhookUrl of [
      "http://127.0.0.1:1/x",
      "https://169.254.169.254/latest",
      "https://localhost/x",
      "http://example.com/x",
      "https://user:password@example.com/",
      "ftp://example.com",
      "javascript:alert(1)",
      "nothing",
    ]) {
      expect(await team.owner.put(settings(), { webhookUrl }), webhookUrl).toMatchObject({
        status: 400,
        body: { details: [{ path: "webhookUrl" }] },
      });
    }
  });
});

describe("a person's answer", () => {
  test("appears in the chat under their name and in a mail, until the handover is closed", async () => {
    const { visitor, chatId, path, email, handover } = await createAskedChat();
    const editor: Person = await newMember(team, "editor");
    const answer = await editor.post(at(handover.id, "/answer"), { content: "You have **27** days." });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        handover: { id: handover.id, status: "answered", answeredAt: expect.any(String) },
        message: {
          role: "assistant",
          status: "complete",
          content: "You have **27** days.",
          author: { type: "person", name: "Test Member" },
          citations: [],
          usage: null,
        },
      },
    });
    const { data } = (await visitor.get(`/v1/chats/${chatId}/messages`)).body;
    expect(data).toEqual([answer.body.message]);
    expect((await visitor.get(path)).body.handover.status).toBe("answered");
    const mail = await mailTo(email);
    expect(mail.subject).toBe(say("en", "mails:answer.subject", { team: "Handover Team" }));
    expect(mail.text).toContain("Test Member of Handover Team");
    expect(mail.text).toContain("You have 27 days.");
    // A visitor may have typed anybody's address: the mail has the words alone, without links.
    expect(mail.html).toContain(">You have 27 days.<");
    expect(mail.text).toContain(`/chats/${chatId}`);
    expect(mail.text + mail.html).not.toContain(visitor.visitorToken);

    const rated = `/v1/chats/${chatId}/messages/${answer.body.message.id}/feedback`;
    expect((await visitor.post(rated, { rating: "down" })).status).toBe(409);
    const second = await team.owner.post(at(handover.id, "/answer"), { content: "And more." });
    expect(second.status).toBe(201);
    expect(second.body.handover.answeredAt).toBe(answer.body.handover.answeredAt);
    const closed = await editor.post(at(handover.id, "/close"));
    expect(closed).toMatchObject({ status: 200, body: { status: "closed", closedAt: expect.any(String) } });
    expect((await editor.post(at(handover.id, "/close"))).body).toEqual(closed.body);
    expect(await editor.post(at(handover.id, "/answer"), { content: "Late" })).toMatchObject({
      status: 409,
      body: { details: [{ code: "handoverClosed" }] },
    });
    // A request after that is a new one.
    expect((await visitor.post(path, { email, consent })).status).toBe(201);
  });

  test("that does not come is mailed once, when the team closes the request", async () => {
    const { email, handover, chatId } = await createAskedChat();
    await team.owner.post(at(handover.id, "/close"));
    const mail = await mailTo(email);
    expect(mail.subject).toBe(say("en", "mails:answer.closedSubject", { team: "Handover Team" }));
    expect(mail.text).toContain(`/chats/${chatId}`);
    await team.owner.post(at(handover.id, "/close"));
    const deliveries = await deliveriesOf(handover.id);
    expect(deliveries.filter(({ kind }: { kind: string }) => kind === "answerMail")).toHaveLength(1);

    const answered = await createAskedChat();
    await team.owner.post(at(answered.handover.id, "/answer"), { content: "Yes." });
    await team.owner.post(at(answered.handover.id, "/close"));
    const after = await deliveriesOf(answered.handover.id);
    expect(after.filter(({ kind }: { kind: string }) => kind === "answerMail")).toHaveLength(1);
  });

  test("is mailed to a logged-in user's account, in their language", async () => {
    const person = await newPerson();
    await person.put(`/v1/users/${person.id}`, { locale: "fr" });
    const { body: chat } = await person.post(`/v1/agents/${agentId}/chats`, {});
    const { body } = await person.post(`/v1/chats/${chat.id}/handover`, { consent });
    expect(body.email).toBeNull();
    await team.owner.post(at(body.id, "/answer"), { content: "Oui." });
    expect((await mailTo(person.email)).subject).toBe(
      say("fr", "mails:answer.subject", { team: "Handover Team" }),
    );
    expect((await team.owner.get(at(body.id))).text).not.toContain(person.email);
  });

  test("reaches nobody who may no longer talk to the agent, at the address they gave neither", async () => {
    const privateAgent = await newAgent(team);
    const [left, banned, stays] = await Promise.all([1, 2, 3].map(() => newMember(team, "viewer")));
    const given = uniqueEmail("given");
    const ask = async (person: Person = team.owner, email?: string) => {
      const { body: chat } = await person.post(`/v1/agents/${privateAgent}/chats`, {});
      return (await person.post(`/v1/chats/${chat.id}/handover`, { email, consent })).body.id;
    };
    const asked = [await ask(left), await ask(left, given), await ask(banned), await ask(stays)];
    await team.owner.delete(`/v1/teamUsers/${team.id}/users/${left?.id}`);
    const sql = await database();
    await sql`update public.users set banned_at = now() where id = ${banned?.id ?? ""}`;
    for (const id of asked) await team.owner.post(at(id, "/answer"), { content: "For members only." });
    const outcomes = await until(
      () => sql<{ status: string }[]>`
        select status from private.handover_deliveries
         where handover_id = any (${asked}::uuid[]) and kind = 'answerMail' order by id`,
      (rows) => rows.length === asked.length && rows.every(({ status }) => status !== "queued"),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["failed", "failed", "failed", "delivered"]);
    for (const email of [left?.email, given, banned?.email]) {
      const texts = (await mailsTo(String(email))).map(({ text }) => text);
      expect(texts.filter((text) => text.includes("For members only."))).toEqual([]);
    }
  });

  test("stays when the question before it is asked again", async () => {
    const { visitor, chatId } = await newChat();
    const first = await visitor.post(`/v1/chats/${chatId}/messages`, { content: "Who leads sales?" });
    const { body } = await visitor.post(`/v1/chats/${chatId}/handover`, { email: uniqueEmail(), consent });
    const { message } = (await team.owner.post(at(body.id, "/answer"), { content: "Marie." })).body;
    const replaced = { content: "Who leads sales now?", replaces: first.body.message.id };
    expect((await visitor.post(`/v1/chats/${chatId}/messages`, replaced)).status).toBe(200);
    const { data } = (await visitor.get(`/v1/chats/${chatId}/messages`)).body;
    const ids = data.map(({ id }: { id: string }) => id);
    expect(ids).toContain(message.id);
    expect(ids).not.toContain(first.body.reply.id);
  });

  test("through an API key carries its creator's name", async () => {
    const { handover } = await createAskedChat();
    const { key } = (await team.owner.post(`${team.path}/apiKeys`, { name: "Desk" })).body;
    const answer = await as(key).post(at(handover.id, "/answer"), { content: "From the help desk." });
    expect(answer.body.message.author).toEqual({ type: "person", name: "Test Owner" });
  });
});
