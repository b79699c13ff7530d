// Owns a person's actions in a stand-in project: registering, uploading, asking, connecting Slack. Over HTTP, like the web app and Slack.
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Answer } from "../support/api.ts";
import { until } from "../support/content.ts";
import { allEvents } from "../support/event-stream.ts";
import { cookieOf } from "../support/web-session.ts";
import type { Project } from "./project.ts";
import type { RunningWorld } from "./world.ts";

export interface Client {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** The answer's body. @throws when the call fails */
  json(method: string, path: string, body?: unknown): Promise<Answer["body"]>;
}

export interface Person extends Client {
  email: string;
  /** `/v1/teams/{id}` */
  team: string;
}

const testPassword = "a-long-enough-1";

/** A client without a login. */
function strangerTo(project: Project): Client & { token?: string } {
  const client: Client & { token?: string } = {
    call: (method, path, body, headers = {}) =>
      fetch(`${project.platform.url}/functions/v1${path}`, {
        method,
        redirect: "manual",
        headers: {
          ...(client.token === undefined ? {} : { Authorization: `Bearer ${client.token}` }),
          ...(body === undefined || body instanceof FormData ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        body: body instanceof FormData ? body : body === undefined ? null : JSON.stringify(body),
      }),
    json: async (method, path, body) => {
      const answer = await client.call(method, path, body);
      const text = await answer.text();
      if (!answer.ok)
        throw new Error(`${method} ${path}: ${answer.status} ${text}\n${project.functions.output()}`);
      return text === "" ? {} : JSON.parse(text);
    },
  };
  return client;
}

export async function logIn(project: Project, email: string, password = testPassword): Promise<Client> {
  const client = strangerTo(project);
  const session = await client.json("POST", "/v1/auth/login", { email, password, deviceId: "app" });
  client.token = session.accessToken;
  return client;
}

/**
 * Logs in with the web app's form, as a browser without scripts.
 * @param address the client's, as the proxy in front of the web server saw it
 * @returns the next page
 */
export async function logInWithBrowser({ webUrl }: Project, email: string, address: string): Promise<string> {
  const answer = await fetch(`${webUrl}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: webUrl, "x-forwarded-for": address },
    body: new URLSearchParams({ email, password: testPassword }),
  });
  const page = await fetch(new URL(answer.headers.get("location") ?? "", webUrl), {
    headers: { cookie: cookieOf(answer) },
  });
  return await page.text();
}

/** Registers, confirms the address from the mail, logs in and creates a team. */
export async function register(project: Project, world: RunningWorld, email: string): Promise<Person> {
  const stranger = strangerTo(project);
  const account = { name: "Ada", email, password: testPassword, deviceId: "app" };
  await stranger.json("POST", "/v1/auth/register", account);
  const mail = await until(
    async () => world.mails().find(({ to, text }) => to[0]?.address === email && text.includes("code=")),
    (found) => found !== undefined,
  );
  const code = /[?&]code=([^&\s]+)/.exec(mail?.text ?? "")?.[1];
  await stranger.json("GET", `/v1/auth/confirm?code=${code}&username=${encodeURIComponent(email)}`);
  const client = await logIn(project, email);
  const { id } = await client.json("POST", "/v1/teams", { name: "Acme" });
  return { email, team: `/v1/teams/${id}`, ...client };
}

/** Uploads a text and creates a knowledge base and an agent from it, indexed only by the schedule. */
export async function teach(project: Project, { team, call, json }: Person, text: string) {
  const form = new FormData();
  form.set("file", new File([text], "leave.md", { type: "text/markdown" }), "leave.md");
  const uploaded = await call("POST", `${team}/files/upload`, form);
  expect(uploaded.status, project.functions.output()).toBe(201);
  const file = await uploaded.json();
  const knowledge = await json("POST", `${team}/knowledges`, { name: "Handbook", fileIds: [file.id] });
  const agent = await json("POST", `${team}/agents`, { name: "Guide", knowledgeIds: [knowledge.id] });
  const [status] = await until(
    async (): Promise<[string, Record<string, number>]> => {
      const answers = await project.tick();
      expect(answers).toEqual({ indexing: 200, "slack/tick": 200 });
      return [(await json("GET", `${team}/knowledges/${knowledge.id}`)).status, answers];
    },
    ([status]) => status === "ready" || status === "failed",
    60,
  );
  expect(status, project.functions.output()).toBe("ready");
  return { file, knowledge, agent };
}

/** Asks an agent. @returns the streamed reply */
export async function ask({ call, json }: Client, agentId: string, content: string): Promise<string> {
  const chat = await json("POST", `/v1/agents/${agentId}/chats`, {});
  const answer = await call(
    "POST",
    `/v1/chats/${chat.id}/messages`,
    { content },
    { Accept: "text/event-stream" },
  );
  const events = await allEvents(answer);
  return JSON.stringify(events);
}

const workspace = "T0ACME";
const member = "U0MEMBER";

/** Connects an agent to Slack as a person does: through Slack's consent page, and back. */
export async function connectSlack({ json }: Person, agentId: string): Promise<void> {
  const { installUrl } = await json("POST", `/v1/integration/slack/${agentId}`, {});
  const page = await (await fetch(installUrl)).text();
  const allowed = /<a href="([^"]+)">Allow/.exec(page)?.[1] ?? "";
  const back = await fetch(allowed.replaceAll("&amp;", "&"), { redirect: "manual" });
  const ticket = new URL(back.headers.get("location") ?? "").searchParams.get("ticket");
  expect((await json("POST", "/v1/integration/slack/installs", { ticket })).workspace).toMatchObject({
    name: "Acme",
  });
  expect((await json("POST", "/v1/integration/slack/installs/confirm", { ticket })).status).toBe("connected");
}

/** Asks in Slack. @returns the bot's answer */
export async function askInSlack(project: Project, { slack }: RunningWorld, text: string): Promise<string> {
  slack.users.set(member, { locale: "en-US" });
  const ts = slack.conversations.ts();
  const event = { type: "message", channel: "D1", channel_type: "im", user: member, text, ts };
  const body = slack.envelope(workspace, event);
  const answer = await fetch(`${project.platform.url}/functions/v1/slack/events`, {
    method: "POST",
    headers: { "content-type": "application/json", ...slack.sign(body) },
    body,
  });
  expect(answer.status, await answer.text()).toBe(200);
  const listMessages = () => slack.conversations.inThread(ts).filter((message) => !message.streaming);
  return await until(
    async () =>
      listMessages()
        .map((message) => message.text)
        .join("\n"),
    (words) => words !== "",
  );
}

export const newEmail = () => `ada-${randomUUID().slice(0, 8)}@parley.test`;
