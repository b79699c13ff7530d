// Idempotency-Key: a repeated POST or upload gets the first response, and reveals it to no other caller.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import {
  anyone,
  as,
  newMember,
  newPerson,
  newTeam,
  owner,
  type Person,
  type Team,
  uniqueEmail,
} from "../support/api.ts";
import { asVisitor, newAgent, until } from "../support/content.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";

type Headed = { headers: Record<string, string> };

let person: Person;
beforeAll(async () => {
  person = await newPerson();
});

const withKey = (key: string = randomUUID()) => ({ headers: { "Idempotency-Key": key } });
const uploadText = (who: Person, team: Team, name: string, content: string, key: Headed) => {
  const form = new FormData();
  form.set("file", new File([content], name, { type: "text/plain" }));
  return who.call("POST", `${team.path}/files/upload`, form, key);
};
const teamsNamed = async (name: string) => (await person.get(`/v1/teams?search=${name}`)).body.total;

describe("a POST with an Idempotency-Key", () => {
  test("that is repeated gets its first answer, and has no further effect", async () => {
    const name = `once-${randomUUID()}`;
    const key = withKey();
    const first = await person.post("/v1/teams", { name }, key);
    const second = await person.post("/v1/teams", { name }, key);
    expect(first.status).toBe(201);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect([first, second].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"]);
    expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(await teamsNamed(name)).toBe(1);
  });

  test("that failed is repeated with its error, which names the first request", async () => {
    const key = withKey();
    const first = await person.post("/v1/teams", { name: "" }, key);
    const second = await person.post("/v1/teams", { name: "" }, key);
    expect([first.status, first.body.requestId]).toEqual([400, first.headers.get("x-request-id")]);
    expect([second.status, second.text]).toEqual([400, first.text]);
    expect(second.headers.get("x-request-id")).not.toBe(first.body.requestId);
  });

  test("is also repeated for a client that reads streams, where the call has none", async () => {
    const name = `reader-${randomUUID()}`;
    const { headers } = withKey();
    const reader = { headers: { ...headers, Accept: "application/json, text/event-stream" } };
    const [first, second] = [
      await person.post("/v1/teams", { name }, reader),
      await person.post("/v1/teams", { name }, reader),
    ];
    expect(first.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(await teamsNamed(name)).toBe(1);
  });

  test("that is sent many times at once runs once", async () => {
    const name = `parallel-${randomUUID()}`;
    const key = withKey();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => person.post("/v1/teams", { name }, key)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await teamsNamed(name)).toBe(1);
  });

  test("with another body is a conflict", async () => {
    const key = withKey();
    await person.post("/v1/teams", { name: "one" }, key);
    expect(await person.post("/v1/teams", { name: "two" }, key)).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
  });

  test("is independent of other callers and other calls", async () => {
    const key = withKey();
    const mine = await person.post("/v1/teams", { name: "same" }, key);
    const other = await newPerson();
    const theirs = await other.post("/v1/teams", { name: "same" }, key);
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(mine.body.id);
    const team = await person.post(`/v1/teams/${mine.body.id}/agents`, { name: "same" }, key);
    expect(team).toMatchObject({ status: 201, body: { teamId: mine.body.id } });
  });

  test("stores a refusal, so that the same mistake gets the same answer", async () => {
    const key = withKey();
    const first = await person.post("/v1/teams", { name: "" }, key);
    const second = await person.post("/v1/teams", { name: "" }, key);
    expect([second.status, second.text]).toEqual([400, first.text]);
  });

  test("is forgotten after 24 hours", async () => {
    const key = withKey();
    const first = await person.post("/v1/teams", { name: "aged" }, key);
    const sql = await owner();
    await sql`update private.idempotency_keys set created_at = now() - interval '25 hours'
               where key = ${key.headers["Idempotency-Key"]}`;
    const second = await person.post("/v1/teams", { name: "aged" }, key);
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
  });

  test("fills no disk: beyond a day's allowance a response is not stored, and the call not repeated", async () => {
    const sql = await owner();
    const team = await newTeam();
    const source = await team.owner.post(`${team.path}/sources`, { type: "file", name: "Notes" });
    const path = `${team.path}/sources/${source.body.id}/documents`;
    const add = (title: string, key: Headed) =>
      team.owner.post(path, { externalId: title, title, content: "x".repeat(100_000) }, key);
    const [before, after] = [withKey(), withKey()];
    const first = await add("before", before);
    expect(first.status).toBe(201);
    expect((await add("before", before)).text).toBe(first.text);
    const counted = await sql`
      update private.rate_limits set hits = ${256 * 1024} where key = ${`kept:user:${team.owner.id}`} and hits > 100 returning 1`;
    expect(counted).toHaveLength(1);
    expect((await add("after", after)).status).toBe(201);
    const again = await add("after", after);
    expect([again.status, again.body.code]).toEqual([409, "CONFLICT"]);
    expect((await add("before", before)).text).toBe(first.text);
    expect((await team.owner.get(path)).body.data).toHaveLength(2);
    const [{ size } = { size: 0 }] = await sql<{ size: number }[]>`
      select sum(octet_length(body))::int as size from private.idempotency_keys where caller = ${`user:${team.owner.id}`}`;
    expect(size).toBeLessThan(200_000);
  });

  test("leaves no secret in the database", async () => {
    const team: Team = await newTeam();
    const key = withKey();
    const made = await team.owner.post(`${team.path}/apiKeys`, { name: "k" }, key);
    const again = await team.owner.post(`${team.path}/apiKeys`, { name: "k" }, key);
    expect(again.body.key).toBe(made.body.key);
    const sql = await owner();
    const [row] =
      await sql`select body from private.idempotency_keys where key = ${key.headers["Idempotency-Key"]}`;
    expect(row?.body).toBeTruthy();
    expect(Buffer.from(row?.body, "base64").toString("latin1")).not.toContain("prl_");
  });

  test("is not replayed to a caller whose credential has ended since", async () => {
    const team: Team = await newTeam();
    const made = (await team.owner.post(`${team.path}/apiKeys`, { name: "short-lived" })).body;
    const [client, key] = [as(made.key), withKey()];
    const ask = () => client.post(`${team.path}/agents`, { name: "once" }, key);
    expect((await ask()).status).toBe(201);
    expect((await ask()).headers.get("idempotent-replayed")).toBe("true");
    expect((await team.owner.delete(`${team.path}/apiKeys/${made.id}`)).status).toBe(204);
    expect(await ask()).toMatchObject({ status: 401, body: { code: "NOT_AUTHENTICATED" } });
  });

  test("is not replayed to a member who was removed or demoted since, nor after an agent became private", async () => {
    const team: Team = await newTeam();
    const [editor, stranger] = [await newMember(team, "editor"), await newPerson()];
    const agent = await newAgent(team, { visibility: "public" });
    const ownChat = (await editor.post(`/v1/agents/${agent}/chats`, {})).body.id;
    const othersChat = (await stranger.post(`/v1/agents/${agent}/chats`, {})).body.id;
    const key = withKey();
    const content = "Hello?";
    const completion = { model: agent, messages: [{ role: "user", content }] };
    const calls = {
      createRow: () => editor.post(`${team.path}/agents`, { name: "once" }, key),
      upload: () => uploadText(editor, team, "once.txt", "once", key),
      ask: () => editor.post(`/v1/chats/${ownChat}/messages`, { content }, key),
      askAsStranger: () => stranger.post(`/v1/chats/${othersChat}/messages`, { content }, key),
      complete: () => stranger.post("/v1/streams/openai/chat/completions", completion, key),
      stream: () => stranger.post("/v1/streams", { agentId: agent, messages: completion.messages }, key),
    };
    const statuses = async () => {
      const answers = [];
      for (const [name, call] of Object.entries(calls)) {
        const { status, headers } = await call();
        answers.push([name, status, headers.get("idempotent-replayed")]);
      }
      return answers;
    };
    const [rows, uploads] = [
      ["createRow", 201],
      ["upload", 201],
    ];
    const rest = [
      ["ask", 200],
      ["askAsStranger", 200],
      ["complete", 200],
      ["stream", 200],
    ];
    expect(await statuses()).toEqual([rows, uploads, ...rest].map((one) => [...one, null]));
    expect(await statuses()).toEqual([rows, uploads, ...rest].map((one) => [...one, "true"]));
    const place = `/v1/teamUsers/${team.id}/users/${editor.id}`;
    expect((await team.owner.put(place, { roleId: systemRoleIds.viewer })).status).toBe(200);
    expect((await statuses()).slice(0, 2).map(([, status]) => status)).toEqual([403, 403]);
    expect((await team.owner.put(`${team.path}/agents/${agent}`, { visibility: "private" })).status).toBe(
      200,
    );
    expect((await team.owner.delete(place)).status).toBe(204);
    expect((await statuses()).map(([, status]) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  });

  test("gives nobody another visitor's identity, whatever key they choose", async () => {
    const team: Team = await newTeam();
    const agent = await newAgent(team, { visibility: "public" });
    const key = withKey("1");
    const start = () => anyone.post(`/v1/agents/${agent}/chats`, {}, key);
    const answers = await Promise.all([start(), start(), start()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(3);
    expect(new Set(answers.map(({ body }) => body.visitorToken)).size).toBe(3);
    // With their own token, a visitor is identified and asks once.
    const visitor = asVisitor(answers[0]?.body.visitorToken);
    const again = () => visitor.post(`/v1/agents/${agent}/chats`, {}, key);
    const [one, two] = [await again(), await again()];
    expect([one.status, two.body.id]).toEqual([201, one.body.id]);
  });

  test("gives nobody a session without the password", async () => {
    const { email, password } = await newPerson();
    const key = withKey("login");
    const login = () => anyone.post("/v1/auth/login", { email, password, deviceId: "app" }, key);
    const [one, two] = [await login(), await login()];
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(two.headers.get("idempotent-replayed")).toBeNull();
    expect(two.body.refreshToken).not.toBe(one.body.refreshToken);
  });

  test("works without an account", async () => {
    const key = withKey();
    const body = { name: "Ada", email: uniqueEmail(), password: "correct-horse-1", deviceId: "app" };
    const first = await anyone.post("/v1/auth/register", body, key);
    const second = await anyone.post("/v1/auth/register", body, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect((await anyone.post("/v1/auth/register", body, withKey())).status).toBe(409);
  });

  test("rejects a malformed key", async () => {
    for (const key of ["x".repeat(256), "with space", "é"]) {
      expect(await person.post("/v1/teams", { name: "x" }, withKey(key))).toMatchObject({ status: 400 });
    }
  });

  test("has no effect with other methods", async () => {
    const key = withKey();
    const first = await person.put(`/v1/users/${person.id}`, { name: "First" }, key);
    const second = await person.put(`/v1/users/${person.id}`, { name: "Second" }, key);
    expect([first.body.name, second.body.name]).toEqual(["First", "Second"]);
  });
});

describe("a stream with an Idempotency-Key", () => {
  const content = "How many days?";
  let asker: Person;
  let agent: string;
  beforeAll(async () => {
    const team = await newTeam();
    asker = await newPerson();
    agent = await newAgent(team, { visibility: "public" });
  });
  const reader = (key: Headed) => ({ headers: { ...key.headers, Accept: "text/event-stream" } });
  const newChat = async () =>
    `/v1/chats/${(await asker.post(`/v1/agents/${agent}/chats`, {})).body.id}/messages`;

  test("is given again whole, and its question is asked once", async () => {
    const chat = await newChat();
    const calls = {
      [chat]: { content },
      "/v1/streams": { agentId: agent, messages: [{ role: "user", content }] },
      "/v1/streams/openai/chat/completions": {
        model: agent,
        stream: true,
        messages: [{ role: "user", content }],
      },
    };
    for (const [path, body] of Object.entries(calls)) {
      const key = reader(withKey());
      const first = await asker.post(path, body, key);
      const again = await until(
        () => asker.post(path, body, key),
        ({ status }) => status !== 409,
      );
      expect([path, again.status, again.text]).toEqual([path, 200, first.text]);
      expect(first.text).toMatch(/^(?:event|data): /);
      expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
      expect(again.headers.get("idempotent-replayed")).toBe("true");
    }
    expect((await asker.get(chat)).body.data.map(({ role }: { role: string }) => role)).toEqual([
      "user",
      "assistant",
    ]);
  });

  test("is whole for a reader who left it", async () => {
    const chat = await newChat();
    const key = reader(withKey());
    const { apiUrl } = await findStack();
    const leaving = new AbortController();
    const answer = await fetch(`${apiUrl}${chat}`, {
      method: "POST",
      body: JSON.stringify({ content }),
      headers: { ...key.headers, "Content-Type": "application/json", Authorization: `Bearer ${asker.token}` },
      signal: leaving.signal,
    });
    const start = await answer.body?.getReader().read();
    expect(new TextDecoder().decode(start?.value)).toMatch(/^event: message/);
    leaving.abort();
    const again = await asker.post(chat, { content }, key);
    expect(again.text).toMatch(/^event: message[\s\S]*\nevent: done\n/);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await asker.get(chat)).body.data).toHaveLength(2);
  });
});

describe("an upload with an Idempotency-Key", () => {
  const upload = (team: Team, name: string, content: string, key: Headed) =>
    uploadText(team.owner, team, name, content, key);
  const listFiles = async (team: Team) => (await team.owner.get(`${team.path}/files`)).body.data;

  test("that is repeated is stored once", async () => {
    const team = await newTeam();
    const key = withKey();
    const first = await upload(team, "a.txt", "the same", key);
    const second = await upload(team, "a.txt", "the same", key);
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await listFiles(team)).toHaveLength(1);
  });

  test("of another file of the same size, or under another name, is a conflict", async () => {
    const team = await newTeam();
    const key = withKey();
    const first = await upload(team, "a.txt", "contents one", key);
    for (const [name, content] of [
      ["a.txt", "contents two"],
      ["b.txt", "contents one"],
    ] as const) {
      expect(await upload(team, name, content, key)).toMatchObject({
        status: 409,
        body: { code: "CONFLICT" },
      });
    }
    expect(await listFiles(team)).toMatchObject([{ id: first.body.id, sha256: first.body.sha256 }]);
    expect((await upload(team, "a.txt", "contents two", withKey())).status).toBe(201);
  });

  test("many times at once is stored once", async () => {
    const team = await newTeam();
    const key = withKey();
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload(team, "a.txt", "at once", key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await listFiles(team)).toHaveLength(1);
  });

  test("can use the key again after a refusal", async () => {
    const team = await newTeam();
    const key = withKey();
    expect((await upload(team, "a.txt", "", key)).status).toBe(400);
    expect((await upload(team, "a.txt", "now with something in it", key)).status).toBe(201);
  });
});
