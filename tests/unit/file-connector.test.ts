// The files connector looks up a file's path again when its bytes have moved meanwhile.
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ConnectorContext } from "../../edge-functions/indexing/connectors/connector.ts";

const teamId = randomUUID();
const id = randomUUID();
const places = [1, 2].map(() => `teams/${teamId}/${randomUUID()}`);
let server: Server;
/** Storage's content by path. */
const stored = new Map<string, string>();
let connector: typeof import("../../edge-functions/indexing/connectors/file/index.ts").file;

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    const bytes = stored.get(url.replace("/storage/v1/object/files/", ""));
    response.statusCode = bytes === undefined ? 404 : 200;
    response.end(bytes ?? '{"statusCode":"404"}');
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
  ({ file: connector } = await import("../../edge-functions/indexing/connectors/file/index.ts"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

/** Fetches the file; each read of its row returns the next of these paths, and none after the last. */
async function fetchFile(...paths: (string | undefined)[]): Promise<string> {
  const rows = paths.map((path) =>
    path ? [{ name: "a.md", path, contentType: "text/markdown", sha256: "0".repeat(64) }] : [],
  );
  const context = {
    source: { teamId, config: { fileIds: [id] } },
    read: async () => rows.shift() ?? [],
  } as unknown as ConnectorContext; // The files connector uses no more of it.
  const answer = await connector.fetch(context, id);
  if (!("bytes" in answer)) throw new Error("The bytes of a file were to be fetched");
  return new TextDecoder().decode(answer.bytes);
}

test("a file deleted and restored since the lookup is read from its new path", async () => {
  const [before, after] = places;
  stored.clear();
  stored.set(after ?? "", "Back.");
  expect(await fetchFile(before, after)).toBe("Back.");
  await expect(fetchFile(before, before)).rejects.toThrow("the file's bytes are gone");
  await expect(fetchFile(before, undefined)).rejects.toThrow("the file was deleted");
});
