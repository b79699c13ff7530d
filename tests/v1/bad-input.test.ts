// Malformed requests to every call: no 5xx, and nothing of our internals in any answer.
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { Schema } from "../../edge-functions/v1/openapi-examples.ts";
import { newAdmin, newTeam, type Person, type Team } from "../support/api.ts";
import { type Description, operationsOf, readDescription } from "../support/description.ts";
import { filledPath, furnishedTeam } from "../support/furnished.ts";
import { type Malformed, malformRequests } from "../support/malformed.ts";
import { findStack } from "../support/stack.ts";

/** Words that occur only in our internals. */
const insides =
  /node_modules|file:\/\/|\.ts:\d|\bat \w+ \(|postgres|syntax error|pg_|relation "|column "|violates|\$\d\b|stack/i;
const atOnce = 6;

let description: Description;
let team: Team;
let admin: Person;
let generated: Malformed[];

beforeAll(async () => {
  const [described, furnished, person] = await Promise.all([readDescription(), furnishedTeam(), newAdmin()]);
  [description, team, admin] = [described, furnished.team, person];
  const lookUp = (ref: string): Schema => description.components.schemas[ref.split("/").at(-1) ?? ""] ?? {};
  generated = operationsOf(description).flatMap(({ method, path, operation }) =>
    malformRequests(method, path, operation, filledPath(path, furnished, method === "delete"), lookUp),
  );
});

type Reply = { status: number; headers: Record<string, unknown>; text: string };

/** Sends raw bytes: fetch would repair half of what is wrong with them. */
async function send({ method, path, headers, body }: Omit<Malformed, "what" | "refused">): Promise<Reply> {
  const { apiUrl } = await findStack();
  const { hostname, port, pathname } = new URL(apiUrl);
  return await new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path: pathname + path,
        headers: {
          Authorization: `Bearer ${(path.startsWith("/v1/admin") ? admin : team.owner).token}`,
          ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** What is wrong with an answer, or undefined. */
function complaint(one: Malformed, { status, headers, text }: Reply): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  if (!headers["x-request-id"]) return `no X-Request-Id with ${status}`;
  if (one.refused && status < 400) return `${status}, not refused`;
  if (status < 400) return undefined;
  const body: unknown = JSON.parse(text);
  const whole =
    typeof body === "object" && body !== null && "code" in body && "message" in body && "requestId" in body;
  if (!whole) return `${status} without code, message and requestId: ${text.slice(0, 200)}`;
  // An answer may repeat what was sent, to name a field; never our internals.
  if (insides.test(text)) return `${status} shows our insides: ${text.slice(0, 300)}`;
  const { message, details = [] } = body as { message: string; details?: object[] };
  if (message.includes("see `details`") && details.length === 0) return `no details: ${text.slice(0, 200)}`;
  if (details.some((detail) => !("code" in detail && "params" in detail)))
    return `a detail without code or parameters: ${text.slice(0, 300)}`;
  return undefined;
}

describe("malformed requests", () => {
  test("of every kind, to every call, are answered properly", async () => {
    const queue = [...generated];
    const complaints: string[] = [];
    const unknown: string[] = [];
    const statuses = new Map<number, number>();
    const work = async () => {
      for (let one = queue.pop(); one; one = queue.pop()) {
        const name = `${one.method} ${one.path.slice(0, 120)} (${one.what})`;
        const reply = await send(one).catch((error: Error) => error);
        if (reply instanceof Error) {
          complaints.push(`${name}: ${reply.message}`);
          continue;
        }
        if (reply.status === 401 && !one.path.startsWith("/v1/auth/")) unknown.push(name);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        const wrong = complaint(one, reply);
        if (wrong) complaints.push(`${name}: ${wrong}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    console.log(`${generated.length} malformed requests: ${counts.join(", ")}`);
    expect(complaints).toEqual([]);
    expect(generated.length).toBeGreaterThanOrEqual(500);
    // If most were accepted or stopped early, nothing would have been tested.
    expect(statuses.get(400) ?? 0).toBeGreaterThan(generated.length / 3);
    expect(unknown).toEqual([]);
  });

  test("in bytes that are no UTF-8 store nothing in place of them", async () => {
    const { owner, path } = await newTeam();
    const bytes = Buffer.from(JSON.stringify({ name: "Café" }), "latin1");
    for (const type of ["application/json", "application/json; charset=iso-8859-1"]) {
      const refused = await owner.call("POST", `${path}/agents`, bytes, {
        headers: { "Content-Type": type },
      });
      expect(refused).toMatchObject({ status: 400, body: { message: "The body is not valid UTF-8." } });
    }
    expect((await owner.get(`${path}/agents`)).body.total).toBe(0);
    // What the client itself replaced before is a character like any other.
    const replaced = await owner.post(`${path}/agents`, { name: "Caf\ufffd" });
    expect(replaced).toMatchObject({ status: 201, body: { name: "Caf\ufffd" } });
  });

  test("with half of a surrogate pair store nothing in place of it", async () => {
    const { owner, path } = await newTeam();
    const send = (body = "") =>
      owner.call("POST", `${path}/agents`, Buffer.from(body), {
        headers: { "Content-Type": "application/json" },
      });
    for (const [body, field] of [
      [String.raw`{"name":"A","instructions":"a\ud83d"}`, "instructions"],
      [String.raw`{"name":"A","retrieval":{"mode":"\uDE00x"}}`, "retrieval.mode"],
      [String.raw`{"name":"A","\ud83d":1}`, ""],
    ])
      expect(await send(body)).toMatchObject({
        status: 400,
        body: { details: [{ path: field, code: "characters", params: {} }] },
      });
    expect((await owner.get(`${path}/agents`)).body.total).toBe(0);
    const whole = await send(String.raw`{"name":"A","instructions":"\ud83d\ude00 \\ud83d"}`);
    expect(whole).toMatchObject({ status: 201, body: { instructions: "😀 \\ud83d" } });
  });

  test("that are compressed are refused as such", async () => {
    const { owner, path } = await newTeam();
    const body = gzipSync(JSON.stringify({ name: "A" }));
    const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
    const refused = await owner.call("POST", `${path}/agents`, body, { headers });
    expect(refused).toMatchObject({ status: 415, body: { code: "UNSUPPORTED_MEDIA_TYPE" } });
  });

  test("with NUL in a question name the field", async () => {
    const { owner, path } = await newTeam();
    const { body: agent } = await owner.post(`${path}/agents`, { name: "Agent" });
    const { body: chat } = await owner.post(`/v1/agents/${agent.id}/chats`, {});
    const asked = await owner.post(`/v1/chats/${chat.id}/messages`, { content: "a\0b" });
    expect(asked).toMatchObject({
      status: 400,
      body: { details: [{ path: "content", code: "characters", params: {} }] },
    });
    const messages = [{ role: "user", content: "a\0b" }];
    expect(await owner.post("/v1/streams", { agentId: agent.id, messages })).toMatchObject({
      status: 400,
      body: { details: [{ path: "messages.0.content", code: "characters" }] },
    });
  });

  test("with fields for a call that takes none do nothing", async () => {
    const { owner, path } = await newTeam();
    const { body: agent } = await owner.post(`${path}/agents`, { name: "Agent" });
    const { body: source } = await owner.post(`${path}/sources`, { type: "file", name: "Source" });
    const at = `${path}/agents/${agent.id}`;
    expect(await owner.delete(at, { force: true })).toMatchObject({
      status: 400,
      body: { details: [{ path: "force", code: "unknown", params: {} }] },
    });
    expect((await owner.get(at)).status).toBe(200);
    const tasks = async () => (await owner.get(`${path}/tasks`)).body.data.length;
    const before = await tasks();
    for (const body of [{ force: true }, [], null, "now"])
      expect([body, (await owner.post(`${path}/sources/${source.id}/sync`, body)).status]).toEqual([
        body,
        400,
      ]);
    expect(await tasks()).toBe(before);
    expect((await owner.post(`${path}/sources/${source.id}/sync`, {})).status).toBe(202);
    expect((await owner.delete(at, {})).status).toBe(204);
    // A path that does not exist has no fields.
    expect((await owner.post(`${path}/nothing`, { force: true })).status).toBe(404);
    expect((await owner.put("/v1/teams", { force: true })).status).toBe(405);
  });

  test("with a number in another form than decimal digits are refused", async () => {
    const { owner, path } = await newTeam();
    for (const list of [`${path}/agents`, `${path}/tasks`]) {
      for (const value of ["0x10", "1e1", "%205", "5%20", "+5", "", "five", "Infinity"])
        expect([value, (await owner.get(`${list}?perPage=${value}`)).status]).toEqual([value, 400]);
      for (const value of ["1", "05", "100"])
        expect([value, (await owner.get(`${list}?perPage=${value}`)).status]).toEqual([value, 200]);
    }
  });

  test("leave the stack running", async () => {
    // With another team: this one has reached its limit of calls for a minute.
    const other = await newTeam();
    expect((await other.owner.get(other.path)).status).toBe(200);
    expect((await other.owner.get(`${other.path}/agents`)).status).toBe(200);
  });
});
