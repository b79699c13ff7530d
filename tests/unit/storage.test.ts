// Storage calls: only an object's key becomes part of a URL, and a silent storage blocks nobody.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

const team = randomUUID();
const key = `teams/${team}/${randomUUID()}`;

/** More than a busy machine needs to connect. */
const SILENCE_MS = 1000;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let answer: Answer;
let asked: string[];
let storage: typeof import("../../edge-functions/_shared/storage/storage.ts");

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("no port");
  vi.stubEnv("DATABASE_URL", "postgres://nowhere");
  vi.stubEnv("SUPABASE_URL", "https://api.parley.example");
  vi.stubEnv("SUPABASE_INTERNAL_URL", `http://127.0.0.1:${address.port}`);
  vi.stubEnv("SUPABASE_ANON_KEY", "anon");
  vi.stubEnv("SUPABASE_SERVICE_ROLE_KEY", "service");
  vi.stubEnv("WEB_URL", "http://127.0.0.1:9");
  vi.stubEnv("SECRETS_KEY", "x".repeat(32));
  vi.stubEnv("STORAGE_TIMEOUT_SECONDS", String(SILENCE_MS / 1000));
  storage = await import("../../edge-functions/_shared/storage/storage.ts");
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

describe("an object's key", () => {
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

  test("is a path of that team's object", () => {
    expect(storage.parseObjectKey(key, team)).toBe(key);
    expect(storage.parseObjectKey(key)).toBe(key);
  });
});

test("what a failed call stored is deleted, and a failure to do so is not the call's failure", async () => {
  answer = (_request, response) => response.writeHead(500).end("{}");
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  await storage.discardObjects([storage.parseObjectKey(key, team)]);
  expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(key));
  logged.mockRestore();
  expect(asked).toEqual(["DELETE /storage/v1/object/files"]);
});

test("storage is called directly, and signed addresses are those that a browser reaches", async () => {
  answer = (request, response) =>
    response.end(
      JSON.stringify(request.url?.includes("/upload/") ? { url: "/object/u" } : { signedURL: "/object/d" }),
    );
  const one = storage.parseObjectKey(key, team);
  expect(await storage.signDownload(one)).toBe("https://api.parley.example/storage/v1/object/d");
  expect((await storage.signUpload(one, "text/plain")).url).toBe(
    "https://api.parley.example/storage/v1/object/u",
  );
});

test("a full disk is named", async () => {
  answer = (_request, response) =>
    response.writeHead(507).end('{"statusCode":"507","error":"InsufficientStorage"}');
  const stored = storage.putObject(
    storage.parseObjectKey(key, team),
    new Blob(["text"]).stream(),
    "text/plain",
  );
  await expect(stored).rejects.toMatchObject({
    code: "UNAVAILABLE",
    extra: { details: [expect.objectContaining({ code: "diskFull" })] },
  });
});

describe("a silent storage", () => {
  const silence: Answer = () => {};
  const isUnavailable = expect.objectContaining({ code: "UNAVAILABLE" });
  const body = () => new Blob(["text"]).stream();

  test("times out before it answers, for every call", async () => {
    answer = silence;
    const one = storage.parseObjectKey(key, team);
    const calls = [
      storage.getObject(one),
      storage.removeObjects([one]),
      storage.signDownload(one),
      storage.signUpload(one, "text/plain"),
      storage.putObject(one, body(), "text/plain"),
    ];
    await Promise.all(calls.map((call) => expect(call).rejects.toEqual(isUnavailable)));
    expect(asked.length).toBeGreaterThanOrEqual(5);
  });

  test("times out during an upload", async () => {
    answer = (request, response) => (request.url?.includes("/bucket/") ? response.end("{}") : undefined);
    const one = storage.parseObjectKey(key, team);
    await expect(storage.putObject(one, body(), "text/plain")).rejects.toEqual(isUnavailable);
    expect(asked.at(-1)).toBe(`POST /storage/v1/object/files/${key}`);
  });

  test("times out in the middle of an object", async () => {
    answer = (_request, response) => void response.write("part");
    const { body } = await storage.getObject(storage.parseObjectKey(key, team));
    await expect(new Response(body).text()).rejects.toEqual(isUnavailable);
  });

  test("is not confused with a slow reader", async () => {
    answer = (_request, response) => response.end("whole");
    const { body } = await storage.getObject(storage.parseObjectKey(key, team));
    await new Promise((resolve) => setTimeout(resolve, 1.5 * SILENCE_MS));
    expect(await new Response(body).text()).toBe("whole");
  });

  test("times out in the middle of an answer, and an endless answer is cut off", async () => {
    const one = storage.parseObjectKey(key, team);
    answer = (_request, response) => void response.write('{"signedURL":');
    await expect(storage.signDownload(one)).rejects.toEqual(isUnavailable);
    answer = (_request, response) => void response.end(`{"signedURL":"${"x".repeat(200_000)}"}`);
    await expect(storage.signDownload(one)).rejects.toEqual(isUnavailable);
  });
});

test("a sender who stalls in the middle of a file ends its upload", async () => {
  answer = (request, response) => {
    if (request.url?.includes("/bucket/")) return void response.end("{}");
    request.resume();
  };
  const stalled = new ReadableStream<Uint8Array>({ start: (c) => c.enqueue(new Uint8Array([1])) });
  const sent = storage.putObject(storage.parseObjectKey(key, team), stalled, "text/plain");
  await expect(sent).rejects.toEqual(expect.objectContaining({ code: "UNAVAILABLE" }));
});
