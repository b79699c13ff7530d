// Files: uploads, signed URLs, lists and deletion, with their limits.
import { createHash, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { newKnowledge, until } from "../support/content.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let other: Team;
beforeAll(async () => {
  [team, other] = await Promise.all([newTeam(), newTeam()]);
});

const uploads = () => `${team.path}/files/upload`;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const storedObjects = async (path: string) => {
  const sql = await owner();
  const rows = await sql`select 1 from storage.objects where bucket_id = 'files' and name like ${`${path}%`}`;
  return rows.length;
};

describe("uploading", () => {
  test("stores the bytes, and reports their type and size", async () => {
    const text = "# Leave\n\n27 days.\n";
    const { status, body, headers } = await team.owner.upload(uploads(), "leave.md", text);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      teamId: team.id,
      name: "leave.md",
      type: "document",
      contentType: "text/markdown",
      size: Buffer.byteLength(text),
      path: `teams/${team.id}/${body.id}`,
      sha256: sha256(text),
    });
    expect(headers.get("x-request-id")).toBeTruthy();

    const one = await team.owner.get(`${team.path}/files/${body.id}`);
    expect(one.body).toMatchObject({ ...body, url: expect.stringContaining("token="), usedIn: [] });
    const bytes = await fetch(one.body.url);
    expect(await bytes.text()).toBe(text);
    // The URL's token grants access; without it nobody reads the object.
    expect((await fetch(one.body.url.replace(/\?.*/, ""))).status).toBeGreaterThanOrEqual(400);
  });

  test.each([
    'quotes " and %22, slashes / and \\, semi;colons',
    "été à Zürich – 日本語 🌦️ עברית.md",
    "../../../etc/passwd",
    "C:\\Users\\me\\notes.md",
    "a%41b%2Fc.md",
    "  spaces  .md",
    `${"long".repeat(62)}.txt`,
  ])("keeps the name %j as given, and out of the path", async (name) => {
    const { status, body } = await team.owner.upload(uploads(), name, "text");
    expect(status).toBe(201);
    // The client's multipart encoding writes a quotation mark as %22, so the two cannot be told apart.
    expect(body.name).toBe(name.replaceAll("%22", '"'));
    expect(body.path).toBe(`teams/${team.id}/${body.id}`);
    const { body: again } = await team.owner.get(`${team.path}/files/${body.id}`);
    expect(again.name).toBe(body.name);
  });

  test("derives the type from the name when the sender gives none", async () => {
    const png = await team.owner.upload(uploads(), "logo.PNG", "x", "application/octet-stream");
    expect(png.body).toMatchObject({ type: "image", contentType: "image/png" });
    const blob = await team.owner.upload(uploads(), "blob", "x", "");
    expect(blob.body).toMatchObject({ type: "other", contentType: "application/octet-stream" });
  });

  test.each([
    ["image/png", true],
    ["image/svg+xml", false],
    ["image/x+xml", false],
    ["text/html", false],
  ])("links %s so that a browser shows it: %s", async (contentType, isShown) => {
    const { body } = await team.owner.upload(uploads(), "one.bin", "x", contentType);
    const { body: one } = await team.owner.get(`${team.path}/files/${body.id}`);
    expect(new URL(one.url).searchParams.has("download")).toBe(!isShown);
  });

  test("rejects an empty file by name and stores nothing", async () => {
    const before = await storedObjects(`teams/${team.id}/`);
    const { status, body } = await team.owner.upload(uploads(), "empty.md", "");
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "VALIDATION_FAILED", message: expect.stringContaining("empty.md") });
    expect(await storedObjects(`teams/${team.id}/`)).toBe(before);
  });

  test("rejects more than 50 MiB and stores nothing", async () => {
    const before = await storedObjects(`teams/${team.id}/`);
    const big = new Uint8Array(50 * 1024 * 1024 + 1);
    const announced = await team.owner.upload(uploads(), "big.bin", big);
    expect(announced.status).toBe(413);
    expect(announced.body.code).toBe("PAYLOAD_TOO_LARGE");
    expect(await storedObjects(`teams/${team.id}/`)).toBe(before);
  });

  /** A multipart body without a Content-Length. */
  const streamBody = (pieces: number, options: { pause?: Promise<void>; signal?: AbortSignal } = {}) => {
    const encoder = new TextEncoder();
    const mebibyte = new Uint8Array(1024 * 1024);
    async function* body() {
      yield encoder.encode('--x\r\nContent-Disposition: form-data; name="file"; filename="s.bin"\r\n\r\n');
      for (let i = 0; i < pieces; i++) yield mebibyte;
      await options.pause;
      yield encoder.encode("\r\n--x--\r\n");
    }
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      body: Readable.toWeb(Readable.from(body())) as ReadableStream,
      duplex: "half",
      headers: {
        Authorization: `Bearer ${team.owner.token}`,
        "Content-Type": "multipart/form-data; boundary=x",
      },
      signal: options.signal ?? null,
    };
    return findStack().then(({ apiUrl }) => fetch(apiUrl + uploads(), init));
  };

  test("accepts a body of unknown length, and rejects one that turns out too large", async () => {
    const before = await storedObjects(`teams/${team.id}/`);
    const small = await streamBody(2);
    expect(small.status).toBe(201);
    expect(await small.json()).toMatchObject({ name: "s.bin", size: 2 * 1024 * 1024 });
    const large = await streamBody(51);
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(await storedObjects(`teams/${team.id}/`)).toBe(before + 1);
  });

  test("stores nothing of an aborted upload", async () => {
    const before = await storedObjects(`teams/${team.id}/`);
    const control = new AbortController();
    const sent = streamBody(3, { pause: sleep(60_000, undefined, { ref: false }), signal: control.signal });
    await sleep(500);
    control.abort();
    await expect(sent).rejects.toThrow();
    // The API keeps working, and the remains are deleted shortly.
    expect((await team.owner.get(`${team.path}/files?perPage=1`)).status).toBe(200);
    await until(
      () => storedObjects(`teams/${team.id}/`),
      (count) => count === before,
    );
  });

  test("accepts exactly 50 MiB", async () => {
    const { status, body } = await team.owner.upload(uploads(), "full.bin", new Uint8Array(50 * 1024 * 1024));
    expect(status).toBe(201);
    expect(body.size).toBe(50 * 1024 * 1024);
    expect((await team.owner.delete(`${team.path}/files/${body.id}`)).status).toBe(204);
  });

  const form = (...fields: [string, string | Blob, string?][]) => {
    const made = new FormData();
    for (const [field, value, name] of fields) {
      if (typeof value === "string") made.append(field, value);
      else made.append(field, value, name);
    }
    return made;
  };
  const text = new Blob(["text"], { type: "text/plain" });

  test.each([
    ["no field", form()],
    ["no file", form(["note", "hello"])],
    ["a text in place of the file", form(["file", "hello"])],
    ["another field", form(["document", text, "a.txt"])],
    ["a field beside it", form(["file", text, "a.txt"], ["teamId", "x"])],
    ["two files", form(["file", text, "a.txt"], ["file", text, "b.txt"])],
    ["a nameless file", form(["file", text, ""])],
    ["an endless name", form(["file", text, "x".repeat(256)])],
  ])("refuses %s", async (_what, body) => {
    const before = await storedObjects(`teams/${team.id}/`);
    const answer = await team.owner.call("POST", uploads(), body);
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    expect(answer.body.details.length).toBeGreaterThan(0);
    expect(await storedObjects(`teams/${team.id}/`)).toBe(before);
  });

  test.each([
    ["no multipart", "application/json", "{}", 415],
    ["no boundary", "multipart/form-data", "hello", 400],
    [
      "a cut-off body",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      400,
    ],
    ["nonsense", "multipart/form-data; boundary=x", "hello", 400],
  ])("refuses %s", async (_what, type, body, status) => {
    const before = await storedObjects(`teams/${team.id}/`);
    const answer = await team.owner.call("POST", uploads(), body, { headers: { "Content-Type": type } });
    expect(answer.status).toBe(status);
    expect(await storedObjects(`teams/${team.id}/`)).toBe(before);
  });
});

describe("a signed URL", () => {
  const signUrl = (path = "notes.txt", as = team) =>
    as.owner.get(`${as.path}/files/signedUrl?path=${encodeURIComponent(path)}&contentType=text/plain`);
  const send = (to: { url: string; method: string; headers: Record<string, string> }, body: string) =>
    fetch(to.url, { method: to.method, headers: to.headers, body });

  test("accepts the bytes, which are then registered", async () => {
    const { status, body: to } = await signUrl();
    expect(status).toBe(200);
    expect(to).toMatchObject({ method: "PUT", headers: { "Content-Type": "text/plain" } });
    expect(Date.parse(to.expiresAt)).toBeGreaterThan(Date.now());
    expect((await send(to, "The office opens at nine.")).ok).toBe(true);
    const { status: made, body } = await team.owner.post(`${team.path}/files`, {
      path: to.path,
      name: "notes.txt",
    });
    expect(made).toBe(201);
    expect(body).toMatchObject({
      path: to.path,
      size: 25,
      contentType: "text/plain",
      type: "document",
      sha256: sha256("The office opens at nine."),
    });
    // A second registration would give one object two rows.
    expect(await team.owner.post(`${team.path}/files`, { path: to.path, name: "again" })).toMatchObject({
      status: 409,
    });
    expect((await team.owner.get(`${team.path}/files/${body.id}`)).status).toBe(200);
  });

  test("stays under the team's own prefix, whatever path is requested", async () => {
    for (const path of ["../../other/x", `teams/${other.id}/x`, "/etc/passwd", "a/b/c"]) {
      const { body } = await signUrl(path);
      expect(body.path).toMatch(new RegExp(`^teams/${team.id}/[0-9a-f-]{36}$`));
    }
  });

  test("registers nothing that is missing, empty or another team's", async () => {
    const { body: unsent } = await signUrl();
    expect(await team.owner.post(`${team.path}/files`, { path: unsent.path, name: "x" })).toMatchObject({
      status: 404,
    });
    const { body: empty } = await signUrl();
    await send(empty, "");
    expect(await team.owner.post(`${team.path}/files`, { path: empty.path, name: "x" })).toMatchObject({
      status: 400,
    });
    expect(await storedObjects(empty.path)).toBe(0);
    const { body: foreign } = await signUrl("x", other);
    await send(foreign, "secret");
    const taken = await team.owner.post(`${team.path}/files`, { path: foreign.path, name: "x" });
    expect(taken).toMatchObject({ status: 400, body: { details: [{ path: "path" }] } });
    for (const path of [`teams/${team.id}/../${other.id}/${randomUUID()}`, `teams/${team.id}/x`, "x"]) {
      expect((await team.owner.post(`${team.path}/files`, { path, name: "x" })).status).toBe(400);
    }
  });
});

describe("the list", () => {
  test("filters by type and content type, in pages", async () => {
    const mine = await newTeam();
    for (const [name, type] of [
      ["a.md", "text/markdown"],
      ["b.txt", "text/plain"],
      ["c.png", "image/png"],
    ] as const) {
      await mine.owner.upload(`${mine.path}/files/upload`, name, "x", type);
    }
    const names = async (query: string) =>
      (await mine.owner.get(`${mine.path}/files${query}`)).body.data.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names("")).toEqual(["c.png", "b.txt", "a.md"]);
    expect(await names("?type=image")).toEqual(["c.png"]);
    expect(await names("?contentType=text/plain")).toEqual(["b.txt"]);
    const page = await mine.owner.get(`${mine.path}/files?page=2&perPage=2`);
    expect(page.body).toMatchObject({ page: 2, perPage: 2, total: 3, data: [{ name: "a.md" }] });
    for (const query of ["?perPage=0", "?perPage=101", "?page=0", "?page=x", "?type=film"]) {
      expect((await mine.owner.get(`${mine.path}/files${query}`)).status).toBe(400);
    }
    expect((await mine.owner.get(`${mine.path}/files?unknown=1`)).status).toBe(200);
  });
});

describe("who may", () => {
  test("viewers read, and add nothing; outsiders get 404; anonymous callers get 401", async () => {
    const { body: file } = await team.owner.upload(uploads(), "shared.txt", "shared");
    const one = `${team.path}/files/${file.id}`;
    const viewer = await newMember(team, "viewer");
    expect((await viewer.get(one)).status).toBe(200);
    expect(await viewer.upload(uploads(), "x.txt", "x")).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN" },
    });
    expect((await viewer.get(`${team.path}/files/signedUrl?path=x&contentType=text/plain`)).status).toBe(403);
    expect((await viewer.delete(one)).status).toBe(403);
    const outsider = await newPerson();
    for (const answer of [
      await outsider.get(one),
      await outsider.get(`${team.path}/files`),
      await outsider.upload(uploads(), "x.txt", "x"),
      await outsider.delete(one),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await anyone.get(one)).status).toBe(401);
    expect((await anyone.upload(uploads(), "x.txt", "x")).status).toBe(401);
    // None of these calls deleted the file.
    expect((await team.owner.get(one)).status).toBe(200);
  });
});

describe("deleting", () => {
  test("removes the bytes, the file's place in sources, and its documents", async () => {
    const { body: gone } = await team.owner.upload(uploads(), "gone.md", "# Gone");
    const { body: kept } = await team.owner.upload(uploads(), "kept.md", "# Kept");
    const { body: source } = await team.owner.post(`${team.path}/sources`, {
      type: "file",
      name: "Both",
      config: { fileIds: [gone.id, kept.id] },
    });
    const one = `${team.path}/files/${gone.id}`;
    expect((await team.owner.delete(one)).status).toBe(204);
    expect((await team.owner.delete(one)).status).toBe(404);
    expect((await team.owner.get(one)).status).toBe(404);
    expect(await storedObjects(gone.path)).toBe(0);
    expect(await storedObjects(kept.path)).toBe(1);
    const { body: after } = await team.owner.get(`${team.path}/sources/${source.id}`);
    expect(after.config).toEqual({ fileIds: [kept.id] });
  });
});

test("storage itself refuses people", async () => {
  const { body: file } = await team.owner.upload(uploads(), "door.txt", "door");
  const { supabaseUrl, anonKey } = await findStack();
  for (const token of [anonKey, team.owner.token]) {
    const response = await fetch(`${supabaseUrl}/storage/v1/object/files/${file.path}`, {
      headers: { apikey: anonKey, Authorization: `Bearer ${token}` },
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
  }
});

test("uploads are rate limited, with the seconds to wait", async () => {
  const eager = await newTeam();
  const at = `${eager.path}/files/upload`;
  expect((await eager.owner.upload(at, "a.txt", "a")).status).toBe(201);
  const key = `upload:for:${createHash("sha256").update(eager.owner.id).digest("base64url")}`;
  const sql = await owner();
  expect(await sql`update private.rate_limits set hits = 1500 where key = ${key} returning key`).toHaveLength(
    1,
  );
  await sql`insert into private.rate_limits (key, window_start, hits)
            select key, window_start + interval '10 minutes', 1500 from private.rate_limits where key = ${key}`;
  const limited = await eager.owner.upload(at, "b.txt", "b");
  expect(limited).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("a file lists its uses, and is found by part of its name", async () => {
  const mine = await newTeam();
  const { sourceIds, id, name } = await newKnowledge(mine, {
    "Tea & 50% milk.md": "# Tea\n\nTea is drunk at four.",
  });
  const list = (query: string) => mine.owner.get(`${mine.path}/files${query}`);
  const found = await list("?name=50%25%20MILK");
  expect(found.body).toMatchObject({ total: 1, data: [{ name: "Tea & 50% milk.md" }] });
  expect((await list("?name=coffee")).body.total).toBe(0);
  const { body } = await mine.owner.get(`${mine.path}/files/${found.body.data[0].id}`);
  expect(body.usedIn).toEqual([
    { sourceId: sourceIds[0], sourceName: name, documentId: expect.any(String), knowledges: [{ id, name }] },
  ]);
});
