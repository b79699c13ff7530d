// Owns the demo's content: the public agent "handbook" of the team "demo" and its knowledge base. Created through the
// product's own API, so that it is really indexed; supabase/seed.sql creates the accounts and the team. Run again after
// a failure, it adds what is missing; once all of it was created, it only finds the agent.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isSeeded } from "./preparation.ts";
import { projectDir } from "./settings.ts";

const owner = { email: "demo@parley.test", password: "demo-parley-1" };
const team = "/teams/demo";
/** The same as in supabase/seed.sql. */
const teamId = "019a0000-0000-7000-8000-000000000003";
const knowledgeName = "Handbook";
const agent = {
  name: "handbook",
  description:
    "Answers questions about Larkfield Instruments, a company made up for this demo, and about Parley.",
  greeting:
    "Hello! Ask me anything about working at Larkfield Instruments, or about Parley itself. Je réponds aussi en français.",
  suggestedPrompts: [
    "How many days of annual leave do I have?",
    "What may a hotel cost in Paris?",
    "My laptop was stolen. What do I do?",
    "Combien de jours de RTT par an ?",
    "What does an agent do when it does not know?",
  ],
  instructions:
    "You help the people of Larkfield Instruments. Be brief and friendly, name amounts, days and addresses exactly, and say whom to write to when the handbook does not answer.",
  visibility: "public",
};

const contentTypes: Record<string, string> = { md: "text/markdown", html: "text/html" };
const named = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) });
const ofTeams = z.object({
  data: z.array(z.object({ id: z.string(), name: z.string(), teamId: z.string() })),
  total: z.number(),
});
const one = z.object({ id: z.string() });

/** The supervisor calls this once all services answer. */
export async function seed(): Promise<void> {
  const wasSeeded = await isSeeded(z.string().parse(process.env.DATABASE_URL));
  const id = await seedHandbook(z.url().parse(process.env.SUPABASE_INTERNAL_URL), wasSeeded);
  await writeFile(z.string().parse(process.env.DEMO_AGENT_FILE), `${id ?? ""}\n`);
}

/**
 * @param wasSeeded the demo's content was created once: what is missing was deleted
 * @returns the agent's id, if there is one
 * @throws Error with the API's response when a step fails; the next run continues from there
 */
export async function seedHandbook(supabaseUrl: string, wasSeeded: boolean): Promise<string | undefined> {
  const api = new Api(`${supabaseUrl}/functions/v1/v1`);
  const present = await findAgent(api);
  if (present || wasSeeded) return present;
  await api.logIn();
  const fileIds = await uploadMissing(api);
  const known = (await api.get(`${team}/knowledges?name=${knowledgeName}`, named)).data;
  const existing = known.find(({ name }) => name === knowledgeName);
  const body = {
    name: knowledgeName,
    description: "The handbook of Larkfield Instruments, and how to use Parley.",
    fileIds,
  };
  const knowledge = existing
    ? await api.send("PUT", `${team}/knowledges/${existing.id}`, { fileIds }, one)
    : await api.send("POST", `${team}/knowledges`, body, one);
  // Created last: when it exists, everything else does.
  return (await api.send("POST", `${team}/agents`, { ...agent, knowledgeIds: [knowledge.id] }, one)).id;
}

/** The demo team's public agent of that name; other teams may have agents of the same name. */
async function findAgent(api: Api): Promise<string | undefined> {
  for (let page = 1; ; page += 1) {
    const { data, total } = await api.get(`/agents?name=${agent.name}&perPage=100&page=${page}`, ofTeams);
    const found = data.find(({ name, teamId: owning }) => name === agent.name && owning === teamId);
    if (found || page * 100 >= total) return found?.id;
  }
}

/** @returns the ids of the demo's files, each uploaded once */
async function uploadMissing(api: Api): Promise<string[]> {
  const dir = join(projectDir, "supabase/seed");
  const present = (await api.get(`${team}/files?perPage=100`, named)).data;
  const ids: string[] = [];
  for (const name of (await readdir(dir)).sort()) {
    const type = contentTypes[name.split(".").at(-1) ?? ""];
    if (!type) continue;
    const uploaded = present.find((file) => file.name === name);
    ids.push(uploaded?.id ?? (await api.upload(`${team}/files/upload`, join(dir, name), name, type)));
  }
  return ids;
}

class Api {
  private token: string | undefined;
  constructor(private readonly base: string) {}

  async logIn(): Promise<void> {
    const session = z.object({ accessToken: z.string() });
    this.token = (await this.send("POST", "/auth/login", { ...owner, deviceId: "app" }, session)).accessToken;
  }

  async get<T>(path: string, shape: z.ZodType<T>): Promise<T> {
    return await parseAnswer(await this.fetch(path, {}), shape);
  }

  async send<T>(method: "POST" | "PUT", path: string, body: unknown, shape: z.ZodType<T>): Promise<T> {
    const headers = { "Content-Type": "application/json" };
    return await parseAnswer(await this.fetch(path, { method, headers, body: JSON.stringify(body) }), shape);
  }

  async upload(path: string, file: string, name: string, type: string): Promise<string> {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(await readFile(file))], { type }), name);
    return (await parseAnswer(await this.fetch(path, { method: "POST", body: form }), one)).id;
  }

  private fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.token) headers.set("Authorization", `Bearer ${this.token}`);
    return fetch(this.base + path, { ...init, headers, signal: AbortSignal.timeout(30_000) });
  }
}

async function parseAnswer<T>(response: Response, shape: z.ZodType<T>): Promise<T> {
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${text.slice(0, 300)}`);
  return shape.parse(JSON.parse(text));
}
