// Owns the API's handlers in this process, on the running stack's database, for tests that replace a service which the stack calls.
// Other tests call the stack's own API.
import { type OpenAiFake, startOpenAiFake } from "./fakes/openai.ts";
import { findStack } from "./stack.ts";

type App = typeof import("../../edge-functions/v1/app.ts").app;

export interface HandlersStand {
  app: App;
  /** The model provider. */
  fake: OpenAiFake;
  /** Calls a path under /v1: a GET, or a POST with a body. */
  call(token: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

/**
 * Sets this process up like the stack's API, before a module of it is loaded.
 * @param more further settings, or other values
 * @returns closes the connections to the database
 */
export async function adoptStackSettings(more: Record<string, string>): Promise<() => Promise<void>> {
  const stack = await findStack();
  Object.assign(process.env, {
    DATABASE_URL: stack.databaseUrl("authenticator"),
    SUPABASE_URL: stack.supabaseUrl,
    SUPABASE_ANON_KEY: stack.anonKey,
    SUPABASE_SERVICE_ROLE_KEY: stack.serviceKey,
    JWT_SECRET: stack.jwtSecret,
    WEB_URL: stack.webUrl,
    SECRETS_KEY: "a key of this test alone that is long enough",
    ...more,
  });
  return (await import("../../edge-functions/_shared/database/db.ts")).closeDatabase;
}

/** Starts the handlers with a model provider that speaks OpenAI's protocol. */
export async function startHandlers(): Promise<HandlersStand> {
  const fake = await startOpenAiFake();
  const close = await adoptStackSettings({
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: fake.baseUrl,
    OPENAI_MODEL: "test-model",
    OPENAI_EMBEDDING_MODEL: "text-embedding-3-small",
  });
  const { app } = await import("../../edge-functions/v1/app.ts");
  return {
    app,
    fake,
    call: async (token, path, body, headers = {}) =>
      await app.request(`/v1${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    stop: async () => {
      await close();
      await fake.stop();
    },
  };
}
