// The way to storage: nothing but the key of an object becomes part of an address.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

const team = randomUUID();
const key = `teams/${team}/${randomUUID()}`;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let answer: Answer;
let asked: string[];
let storage: typeof import("../../edge-functions/_shared/storage.ts");

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("no port");
  vi.stubEnv("DATABASE_URL", "postgres://nowhere");
  vi.stubEnv("SUPABASE_URL", `http://127.0.0.1:${address.port}`);
  vi.stubEnv("SUPABASE_ANON_KEY", "anon");
  vi.stubEnv("SUPABASE_SERVICE_ROLE_KEY", "service");
  vi.stubEnv("WEB_URL", "http://127.0.0.1:9");
  vi.stubEnv("SECRETS_KEY", "x".repeat(32));
  storage = await import("../../edge-functions/_shared/storage.ts");
});

beforeEach(() => {
  asked = [];
  answer = (_request, response) => response.end("{}");
});

afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

describe("the key of an object", () => {
  test.each([
    `teams/${team}/../../../../../../rest/v1/agents?select=instructions`,
    `teams/${team}/../${randomUUID()}/${randomUUID()}`,
    `teams/${randomUUID()}/${randomUUID()}`,
    `teams/${team}/%2e%2e/${randomUUID()}`,
    `teams/${team}/${randomUUID()}?token=1`,
    `teams/${team}/${randomUUID()}#x`,
    `teams/${team}/${randomUUID()}\n`,
    `/teams/${team}/${randomUUID()}`,
    `teams\\${team}\\${randomUUID()}`,
    "",
  ])("is never %j", (path) => {
    expect(() => storage.parseObjectKey(path, team)).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
  });

  test("is the path of an object of that team", () => {
    expect(storage.parseObjectKey(key, team)).toBe(key);
    expect(storage.parseObjectKey(key)).toBe(key);
  });
});
