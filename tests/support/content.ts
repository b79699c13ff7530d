// Owns what tests of chats and knowledge bases need beyond a client: visitors, indexed knowledge bases, open streams, waiting.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, anyone, type Client, type Person, type Team } from "./api.ts";
import { findStack } from "./stack.ts";

/** A person without an account, identified by the token of their first chat. */
export type Visitor = Client & { visitorToken: string };

export function asVisitor(visitorToken: string): Visitor {
  const withVisitor = (options: { headers?: Record<string, string> } = {}) => ({
    headers: { "X-Visitor-Token": visitorToken, ...options.headers },
  });
  return {
    visitorToken,
    call: (method, path, body, options) => anyone.call(method, path, body, withVisitor(options)),
    get: (path, options) => anyone.get(path, withVisitor(options)),
    post: (path, body, options) => anyone.post(path, body, withVisitor(options)),
    put: (path, body, options) => anyone.put(path, body, withVisitor(options)),
    delete: (path) => anyone.call("DELETE", path, null, withVisitor()),
    upload: () => Promise.reject(new Error("visitors upload nothing")),
    putFile: () => Promise.reject(new Error("visitors upload nothing")),
  };
}

/** The raw response to a POST that requests a stream of events. */
export async function openStream(
  who: Person | Visitor | Client,
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  const { apiUrl } = await findStack();
  const credentials: Record<string, string> =
    "token" in who
      ? { Authorization: `Bearer ${who.token}` }
      : "visitorToken" in who
        ? { "X-Visitor-Token": who.visitorToken }
        : {};
  return await fetch(`${apiUrl}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { ...credentials, "Content-Type": "application/json", Accept: "text/event-stream" },
    signal: signal ?? null,
  });
}

/** Polls until the answer fits; fails with the last one. */
export async function until<T>(
  ask: () => Promise<T>,
  fits: (value: T) => boolean,
  seconds = 120,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const value = await ask();
    if (fits(value)) return value;
    if (Date.now() > deadline)
      throw new Error(`not within ${seconds} s; the last was ${JSON.stringify(value).slice(0, 2000)}`);
    await sleep(100);
  }
}

/** Waits until a team's tasks have ended: from then on nothing in it changes in the background. */
export async function atRest({ path, owner }: Team): Promise<void> {
  const statuses = async (): Promise<string[]> => {
    const { body } = await owner.get(`${path}/tasks?perPage=100`);
    return body.data.map(({ status }: { status: string }) => status);
  };
  await until(statuses, (all) => all.every((status) => ["succeeded", "failed", "stopped"].includes(status)));
}

/** Uploads texts as files. @returns their ids */
export async function uploadTexts(team: Team, texts: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const made = await team.owner.upload(`${team.path}/files/upload`, name, text, "text/markdown");
    if (made.status !== 201) throw new Error(`No file was made: ${made.text}`);
    ids.push(made.body.id);
  }
  return ids;
}

/** Creates a team's knowledge base from texts and indexes it. */
export async function newKnowledge(
  team: Team,
  texts: Record<string, string>,
  values: Record<string, unknown> = {},
): Promise<Answer["body"]> {
  const fileIds = await uploadTexts(team, texts);
  const name = `Knowledge ${randomUUID().slice(0, 8)}`;
  const made = await team.owner.post(`${team.path}/knowledges`, { name, fileIds, ...values });
  if (made.status !== 201) throw new Error(`No knowledge was made: ${made.text}`);
  return (await waitUntilIndexed(team, made.body.id)).body;
}

/** Waits until a knowledge base is indexed and its team's queue is empty. */
export async function waitUntilIndexed(team: Team, knowledgeId: string): Promise<Answer> {
  const open = ["queued", "running", "waiting", "stopping"];
  await until(
    () => team.owner.get(`${team.path}/tasks?perPage=100`),
    ({ body }) => body.data.every(({ status }: { status: string }) => !open.includes(status)),
    120,
  );
  return await team.owner.get(`${team.path}/knowledges/${knowledgeId}`);
}

/** Creates a team's agent. @returns its id */
export async function newAgent(team: Team, values: Record<string, unknown> = {}): Promise<string> {
  const made = await team.owner.post(`${team.path}/agents`, { name: "Agent", ...values });
  if (made.status !== 201) throw new Error(`No agent was made: ${made.text}`);
  return made.body.id;
}
