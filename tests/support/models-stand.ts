// Owns the bench for tests of connected models: the API's handlers in this process, two teams, a platform admin, and providers that speak
// OpenAI's protocol. Importing it sets them up for the file.
import { afterAll, beforeAll, beforeEach } from "vitest";
import { newPerson, newTeam, owner, type Team } from "./api.ts";
import { type OpenAiFake, startOpenAiFake } from "./fakes/openai.ts";
import { adoptStackSettings } from "./handlers-stand.ts";

type App = typeof import("../../edge-functions/v1/app.ts").app;

export let fake: OpenAiFake;
export let ollama: OpenAiFake;
let app: App;
export let team: Team;
export let other: Team;
let close: () => Promise<void>;
export let adminToken: string;

beforeAll(async () => {
  fake = await startOpenAiFake();
  ollama = await startOpenAiFake();
  ollama.models = ["llama3.2:latest", "nomic-embed-text:latest"];
  close = await adoptStackSettings({
    OPENAI_BASE_URL: fake.baseUrl,
    OPENAI_MODEL: "environment-model",
    OPENAI_EMBEDDING_MODEL: "text-embedding-3-small",
    PARLEY_OUTBOUND_ALLOW: new URL(fake.baseUrl).host,
    LOCAL_MODELS: `${new URL(ollama.baseUrl).host},127.0.0.1:9`,
  });
  ({ app } = await import("../../edge-functions/v1/app.ts"));
  [team, other] = [await newTeam(), await newTeam()];
  const admin = await newPerson();
  await (await owner())`update public.users set is_admin = true where id = ${admin.id}`;
  adminToken = admin.token;
});
afterAll(async () => {
  await (await owner())`delete from private.models where team_id is null`;
  await close?.();
  await Promise.all([fake?.stop(), ollama?.stop()]);
});
beforeEach(() => {
  fake.requests.length = 0;
});

type Answer = { status: number; body: Record<string, never> & { [name: string]: unknown }; text: string };
/** The handlers themselves. */
export const handlers = {
  call: async (method: string, path: string, token: string, body?: unknown): Promise<Answer> => {
    const response = await app.request(path, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: text ? JSON.parse(text) : {} };
  },
};
export const ours = () => ({
  provider: "custom",
  baseUrl: fake.baseUrl,
  model: "ours",
  apiKey: "sk-of-the-team",
});
export const fieldOf = ({ body }: Answer) =>
  (body.details as { path: string; code: string }[] | undefined)?.[0];
