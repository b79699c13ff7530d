// Owns what the measurements of answers share: a set of questions, an agent that knows its documents, and a fact's presence in a text.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);
const supabase = process.env.SUPABASE_URL ?? `http://127.0.0.1:${54321 + offset}`;
const api = `${supabase}/functions/v1`;

export type Question = {
  id: string;
  q: string;
  lang?: "en" | "fr";
  facts?: string[];
  from?: string;
  after?: string;
  refuse?: boolean;
  orFacts?: string[];
  greeting?: boolean;
};
/** @param folder with documents/ and the file of questions */
export const questionsIn = (folder: string, file = "questions.jsonl"): Question[] =>
  readFileSync(join(folder, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Question);

export async function call<T>(method: string, path: string, token: string, body?: unknown): Promise<T> {
  for (;;) {
    const headers: Record<string, string> = {
      Accept: "application/json",
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(body && !(body instanceof FormData) ? { "Content-Type": "application/json" } : {}),
    };
    const content = body instanceof FormData ? body : JSON.stringify(body);
    const response = await fetch(`${api}${path}`, {
      method,
      headers,
      ...(body ? { body: content } : {}),
    });
    if (response.status === 429) {
      await sleep(1000 * Number(response.headers.get("retry-after") ?? 1));
      continue;
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}

/** @returns the access token of the demo account, or of the one that the environment names */
export async function logIn(): Promise<string> {
  const { accessToken } = await call<{ accessToken: string }>("POST", "/v1/auth/login", "", {
    email: process.env.PARLEY_EMAIL ?? "demo@parley.test",
    password: process.env.PARLEY_PASSWORD ?? "demo-parley-1",
    deviceId: "app",
  });
  return accessToken;
}

export const makeTeam = async (token: string) =>
  (await call<{ id: string }>("POST", "/v1/teams", token, { name: `Answers ${Date.now()}` })).id;

/** Creates an agent that knows the documents, in a new team unless one is named. @returns the agent's id */
export async function makeAgent(token: string, folder: string, teamId?: string): Promise<string> {
  const path = `/v1/teams/${teamId ?? (await makeTeam(token))}`;
  const fileIds: string[] = [];
  for (const file of readdirSync(join(folder, "documents"))) {
    const form = new FormData();
    form.set("file", new Blob([readFileSync(join(folder, "documents", file))]), basename(file));
    fileIds.push((await call<{ id: string }>("POST", `${path}/files/upload`, token, form)).id);
  }
  const knowledge = await call<{ id: string }>("POST", `${path}/knowledges`, token, {
    name: "Documents",
    fileIds,
  });
  const agent = await call<{ id: string }>("POST", `${path}/agents`, token, {
    name: "Helper",
    knowledgeIds: [knowledge.id],
  });
  for (;;) {
    const { data } = await call<{ data: { status: string }[] }>("GET", `${path}/tasks?perPage=100`, token);
    if (data.every(({ status }) => ["succeeded", "failed", "stopped"].includes(status))) return agent.id;
    await sleep(300);
  }
}

export const startChat = async (token: string, agentId: string) =>
  (await call<{ id: string }>("POST", `/v1/agents/${agentId}/chats`, token, {})).id;

export const fold = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    // A document's lines are wrapped, and a fact may stand across two of them.
    .replace(/\s+/g, " ")
    .replace(/[’]/g, "'");
/** A fact matches whole words: "2" is not in "2026". */
export function holds(said: string, fact: string): boolean {
  return fact.split("|").some((either) => {
    const plain = fold(either).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`, "u").test(said);
  });
}
