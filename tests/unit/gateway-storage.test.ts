// Objects through /storage/v1, to the disk and back, by the service and by signed URLs.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { StorageClient } from "@supabase/storage-js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sweepUnrecorded } from "../../supabase/local/gateway/unrecorded-bytes.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { objectsOf } from "../support/gateway-objects.ts";

/** As Node creates folders on a full disk, while true: the recursive form names the wrong reason. */
const disk = vi.hoisted(() => ({ isFull: false }));
/** Which files got their final name, and what was synced after it. */
const durable = vi.hoisted(() => [] as string[]);
/** What a request waits for once its file has its final name: before that, the object has no record. */
const named = vi.hoisted(() => ({ wait: () => Promise.resolve() }));
vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const mkdir = async (path: string, options: { recursive?: boolean }) => {
    if (!disk.isFull) return await real.mkdir(path, options);
    throw Object.assign(new Error("no folder"), { code: options.recursive ? "ENOENT" : "ENOSPC" });
  };
  const rename = async (from: string, to: string) => {
    await real.rename(from, to);
    durable.push(`name ${to}`);
    await named.wait();
  };
  const open = async (...values: Parameters<typeof real.open>) => {
    const file = await real.open(...values);
    const { sync } = file;
    file.sync = async () => {
      await sync.call(file);
      durable.push(`sync ${values[0]}`);
    };
    return file;
  };
  return { ...real, mkdir, rename, open };
});

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const { put, get, sign, filesOnDisk, beginUpload } = objectsOf(() => gateway);

it("keeps an idle connection longer than Deno's fetch, which may send an upload on it for 90 s", async () => {
  const { headers } = await get("nothing");
  expect(Number(headers.get("keep-alive")?.replace("timeout=", ""))).toBeGreaterThan(90);
});

describe("an object", () => {
  it("is returned byte for byte, whatever its name", async () => {
    const bytes = randomBytes(300_000);
    for (const key of [
      "plain.bin",
      "teams/a/b",
      "sp%20ace%20%C3%BC%E8%A9%A6.pdf",
      `long/${"x".repeat(300)}`,
    ]) {
      expect((await put(key, bytes, "application/pdf")).status).toBe(200);
      const response = await get(key);
      expect(response.headers.get("content-type")).toBe("application/pdf");
      expect(response.headers.get("content-length")).toBe("300000");
      const back = Buffer.from(await response.arrayBuffer());
      expect(createHash("sha256").update(back).digest("hex")).toBe(
        createHash("sha256").update(bytes).digest("hex"),
      );
    }
  });

  it("is replaced only on request, in full, and leaves nothing behind", async () => {
    await put("twice", "one");
    const files = filesOnDisk().length;
    expect(await (await put("twice", "two")).json()).toMatchObject({ error: "Duplicate" });
    expect(await (await get("twice")).text()).toBe("one");
    expect((await put("twice", "three", "text/plain", { "x-upsert": "true" })).status).toBe(200);
    expect(await (await get("twice")).text()).toBe("three");
    expect(filesOnDisk()).toHaveLength(files);
  });

  it("has its name on the disk before the answer, which a sync of its bytes leaves out", async () => {
    durable.length = 0;
    expect((await put("names/on-disk.txt", "bytes")).status).toBe(200);
    const renamed = durable.findIndex((done) => done.startsWith("name "));
    const folder = dirname(durable[renamed]?.slice("name ".length) ?? "");
    expect(durable.slice(renamed + 1)).toEqual([`sync ${folder}`]);
    expect(durable.slice(0, renamed)).toContain(`sync ${gateway.storageDir}`);
  });

  it("may be empty", async () => {
    expect((await put("empty", "")).status).toBe(200);
    expect(await (await get("empty")).text()).toBe("");
  });

  it("that was deleted is removed from the disk too", async () => {
    await put("short-lived", "x");
    const files = filesOnDisk().length;
    const removal = { method: "DELETE", body: JSON.stringify({ prefixes: ["short-lived", "never-there"] }) };
    expect(await (await gateway.asService("/storage/v1/object/files", removal)).json()).toHaveLength(1);
    expect(await (await get("short-lived")).json()).toMatchObject({ statusCode: "404" });
    expect(filesOnDisk()).toHaveLength(files - 1);
  });

  it("whose upload was aborted does not exist", async () => {
    const files = filesOnDisk().length;
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    await new Promise<void>((resolve) => {
      const sending = request(`${gateway.url}/storage/v1/object/files/torn`, {
        method: "POST",
        headers: { apikey: gateway.serviceKey, "content-type": "text/plain", "content-length": 1_000_000 },
      });
      sending.on("error", () => resolve());
      sending.write("x".repeat(200_000), () => setTimeout(() => sending.destroy(), 50));
    });
    await eventually(async () =>
      expect(await (await get("torn")).json()).toMatchObject({ statusCode: "404" }),
    );
    await eventually(() => expect(filesOnDisk()).toHaveLength(files));
    // lite logs it, now or a moment later.
    await eventually(() => expect(errors).toHaveBeenCalled());
    errors.mockRestore();
  });

  it("is sent in part for a range request", async () => {
    await put("digits", "0123456789");
    const address = await sign("sign", "digits");
    const whole = await fetch(address);
    expect([whole.status, whole.headers.get("accept-ranges")]).toEqual([200, "bytes"]);
    expect(await whole.text()).toBe("0123456789");
    const tag = whole.headers.get("etag") ?? "";
    const changed = whole.headers.get("last-modified") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const [range, ifRange, text, contentRange] of [
      ["bytes=2-5", null, "2345", "bytes 2-5/10"],
      ["BYTES=7-", null, "789", "bytes 7-9/10"],
      ["bytes=-3", null, "789", "bytes 7-9/10"],
      ["bytes=-300", null, "0123456789", "bytes 0-9/10"],
      ["bytes=8-300", null, "89", "bytes 8-9/10"],
      ["bytes=2-5", tag, "2345", "bytes 2-5/10"],
      ["bytes=2-5", changed, "2345", "bytes 2-5/10"],
    ] as const) {
      for (const send of [(headers: HeadersInit) => fetch(address, { headers }), asServiceRanged]) {
        const part = await send(ifRange === null ? { range } : { range, "if-range": ifRange });
        const { status, headers } = part;
        expect([status, headers.get("content-range"), await part.text()], range).toEqual([
          206,
          contentRange,
          text,
        ]);
        expect(headers.get("content-length")).toBe(String(text.length));
        expect(headers.get("content-security-policy")).toContain("sandbox");
      }
    }
    // An invalid range, several ranges, and a range of an older object get the full object.
    for (const headers of [
      { range: "bytes=5-2" },
      { range: "bytes=-" },
      { range: "lines=0-1" },
      { range: "bytes=0-1,4-5" },
      { range: "bytes=2-5", "if-range": '"0123"' },
      { range: "bytes=2-5", "if-range": `W/${tag}` },
      { range: "bytes=2-5", "if-range": "Mon, 01 Jan 2001 00:00:00 GMT" },
    ]) {
      const all = await fetch(address, { headers: headers as Record<string, string> });
      expect([all.status, await all.text()], headers.range).toEqual([200, "0123456789"]);
    }
    await put("nothing", "");
    for (const [key, range, size] of [
      ["digits", "bytes=10-", 10],
      ["digits", "bytes=-0", 10],
      ["nothing", "bytes=0-0", 0],
    ] as const) {
      const none = await fetch(await sign("sign", key), { headers: { range } });
      expect([none.status, none.headers.get("content-range")], range).toEqual([416, `bytes */${size}`]);
      expect(await none.json()).toMatchObject({ error: "InvalidRange" });
    }
    // A caller who may not read it gets no part of it either.
    expect((await fetch(`${address}x`, { headers: { range: "bytes=0-1" } })).status).toBe(400);
    function asServiceRanged(headers: HeadersInit) {
      return gateway.asService("/storage/v1/object/files/digits", { headers });
    }
  });

  it("above the size limit is rejected", async () => {
    expect((await put("huge", new Uint8Array(51 * 1024 * 1024))).status).toBe(413);
  });

  it("runs nothing when opened", async () => {
    await put("page.html", "<script>alert(1)</script>", "text/html");
    const response = await fetch(await sign("sign", "page.html"));
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    const saved = await fetch(`${await sign("sign", "page.html")}&download=${encodeURIComponent('é".html')}`);
    expect(saved.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''%C3%A9%22.html");
  });

  it("stays inside its folder, whatever its key", async () => {
    for (const key of ["..%2f..%2fescape", "a%2f..%2f..%2fescape", "%2e%2e/%2e%2e/escape"])
      await put(key, "x");
    for (const { name, parentPath } of filesOnDisk()) {
      expect(name).toMatch(/^[0-9a-f]{64}$/);
      expect(parentPath).toMatch(new RegExp(`^${gateway.storageDir}/[0-9a-f]{2}$`));
      expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o600);
    }
  });
});

describe("a signed URL", () => {
  it("uploads one object, once, without any other credential", async () => {
    const url = await sign("upload/sign", "teams/t/upload");
    const send = () =>
      fetch(url, { method: "PUT", body: "signed", headers: { "content-type": "application/pdf" } });
    expect((await send()).status).toBe(200);
    expect(await (await send()).json()).toMatchObject({ error: "Duplicate" });
    const response = await get("teams/t/upload");
    expect(await response.text()).toBe("signed");
    expect(response.headers.get("content-type")).toBe("application/pdf");
  });

  it("keeps the first of two uploads to end", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const url = await sign("upload/sign", "teams/t/overtaken");
    const slow = await beginUpload(url, "late");
    expect((await fetch(url, { method: "PUT", body: "first" })).status).toBe(200);
    expect(await slow.end()).toBe(400);
    expect(await (await get("teams/t/overtaken")).text()).toBe("first");
    errors.mockRestore();
  });

  it("keeps an upload whose object has no record yet when another one begins", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const url = await sign("upload/sign", "teams/t/between");
    let proceed = () => {};
    let noteNamed = () => {};
    const isNamed = new Promise<void>((resolve) => {
      noteNamed = resolve;
    });
    named.wait = () => {
      noteNamed();
      return new Promise((resolve) => {
        proceed = resolve;
      });
    };
    const first = fetch(url, { method: "PUT", body: "first" });
    await isNamed;
    named.wait = () => Promise.resolve();
    const slow = await beginUpload(url, "late");
    durable.length = 0;
    const quick = fetch(url, { method: "PUT", body: "quick" });
    await eventually(() => expect(durable.some((done) => /^sync .*\.tmp$/.test(done))).toBe(true));
    // It would be stored by now, if it did not wait for the first one's record.
    for (let trips = 0; trips < 5; trips++) await get("nothing");
    proceed();
    expect((await first).status).toBe(200);
    expect(await (await quick).json()).toMatchObject({ error: "Duplicate" });
    expect(await slow.end()).toBe(400);
    expect(await (await get("teams/t/between")).text()).toBe("first");
    errors.mockRestore();
  });

  it("replaces what a killed process left without a record, once", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const url = await sign("upload/sign", "teams/t/left");
    await put("teams/t/left", "left");
    await gateway.sql`delete from storage.objects where name = 'teams/t/left'`;
    const slow = await beginUpload(url, "late");
    expect((await fetch(url, { method: "PUT", body: "again" })).status).toBe(200);
    expect(await slow.end()).toBe(400);
    expect(await (await get("teams/t/left")).text()).toBe("again");
    errors.mockRestore();
  });

  it("replaces an object only where it was signed to", async () => {
    await put("teams/t/signed-to", "old");
    const response = await gateway.asService("/storage/v1/object/upload/sign/files/teams/t/signed-to", {
      method: "POST",
      headers: { "x-upsert": "true" },
    });
    const url = `${gateway.url}/storage/v1${(await response.json()).url}`;
    expect((await fetch(url, { method: "PUT", body: "new" })).status).toBe(200);
    expect(await (await get("teams/t/signed-to")).text()).toBe("new");
    const update = { method: "PUT", body: "newer" };
    expect((await gateway.asService("/storage/v1/object/files/teams/t/signed-to", update)).status).toBe(200);
    expect(await (await get("teams/t/signed-to")).text()).toBe("newer");
  });

  it("reads its own object only", async () => {
    await put("mine", "mine");
    await put("other", "other");
    const url = await sign("sign", "mine");
    expect(await (await fetch(url)).text()).toBe("mine");
    expect((await fetch(url.replace("/mine?", "/other?"))).status).toBe(403);
    const upload = url.replace("/object/sign/", "/object/upload/sign/");
    expect((await fetch(upload, { method: "PUT", body: "x" })).status).toBe(403);
    expect(await (await get("mine")).text()).toBe("mine");
  });

  it("that is forged, or a session's token in disguise, is rejected with 400", async () => {
    for (const token of ["junk", gateway.serviceKey, gateway.anonKey]) {
      const response = await fetch(`${gateway.url}/storage/v1/object/sign/files/mine?token=${token}`);
      expect(response.status).toBe(400);
    }
  });

  it("has hosted Supabase's format: its client understands it", async () => {
    await put("client", "for the client");
    const client = new StorageClient(`${gateway.url}/storage/v1`, {
      apikey: gateway.serviceKey,
      authorization: `Bearer ${gateway.serviceKey}`,
    });
    const { data } = await client.from("files").createSignedUrl("client", 60);
    expect(await (await fetch(data?.signedUrl ?? "")).text()).toBe("for the client");
    const upload = await client.from("files").createSignedUploadUrl("by-client");
    expect(upload.data?.signedUrl).toContain("/storage/v1/object/upload/sign/files/by-client?token=");
  });
});

describe("the disk", () => {
  /** Of a call whose failure the gateway logs. */
  async function silence<T>(call: () => Promise<T>): Promise<T> {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    return await call().finally(() => errors.mockRestore());
  }

  it("that lost a file answers as if the object did not exist", async () => {
    await put("lost", "x");
    for (const { name, parentPath } of filesOnDisk()) rmSync(join(parentPath, name));
    const response = await silence(() => get("lost"));
    expect(await response.json()).toMatchObject({ statusCode: "404" });
  });

  it("sets bytes aside that no record names, and deletes them a week later", async () => {
    const [team] =
      await gateway.sql`insert into public.teams (name, codename) values ('T', 'swept') returning id`;
    const keyOf = (id: unknown) => `teams/${id}/${randomUUID()}`;
    const store = async (key: string, record: "kept" | "lost") => {
      const before = new Set(filesOnDisk().map(({ name }) => name));
      await put(key, key);
      if (record === "lost") await gateway.sql`delete from storage.objects where name = ${key}`;
      const made = filesOnDisk().find(({ name }) => !before.has(name));
      return join(made?.parentPath ?? "", made?.name ?? "");
    };
    const recorded = await store(keyOf(team?.id), "kept");
    const inUse = keyOf(team?.id);
    const used = await store(inUse, "lost");
    await gateway.sql`insert into public.files (team_id, name, type, content_type, size, path, sha256)
      values (${team?.id}, 'a.txt', 'other', 'text/plain', 1, ${inUse}, ${"0".repeat(64)})`;
    const foreign = await store(keyOf(randomUUID()), "lost");
    const ofNoTeam = await store("elsewhere/a", "lost");
    const abandoned = await store(keyOf(team?.id), "lost");
    const known = keyOf(team?.id);
    const knownFile = await store(known, "lost");
    const sweep = (days: number) =>
      sweepUnrecorded(gateway.storageDir, gateway.sql, Date.now() + days * 86_400_000);
    const listFiles = () => filesOnDisk().map(({ parentPath, name }) => join(parentPath, name));
    const nothing = { setAside: 0, putBack: 0, deleted: 0 };
    expect(await sweep(0.9)).toEqual(nothing);
    expect(await sweep(1.1)).toEqual({ ...nothing, setAside: 2 });
    expect(listFiles()).toEqual(expect.arrayContaining([recorded, used, foreign, ofNoTeam]));
    expect(listFiles()).not.toContain(abandoned);
    // The operator goes back to the database that knows one of them.
    await gateway.sql`insert into storage.objects (bucket_id, name) values ('files', ${known})`;
    expect(await sweep(8)).toEqual({ ...nothing, putBack: 1 });
    expect(listFiles()).toContain(knownFile);
    expect(await sweep(8.2)).toEqual({ ...nothing, deleted: 1 });
    expect(listFiles()).not.toContain(`${abandoned}.unrecorded`);
    await gateway.sql.unsafe("delete from public.teams; delete from storage.objects");
    expect(await sweep(10), "of a deleted team").toEqual({ ...nothing, setAside: 3 });
  });

  it("that has no room for a folder either is full, not without the object", async () => {
    disk.isFull = true;
    const response = await silence(() => put("no-room", "x"));
    disk.isFull = false;
    expect(response.status).toBe(507);
    expect(await response.json()).toMatchObject({ error: "InsufficientStorage" });
  });

  it("that is read-only gives 503, not a crash", async () => {
    rmSync(gateway.storageDir, { recursive: true, force: true });
    writeFileSync(gateway.storageDir, "a file where the folder was");
    const response = await silence(() => put("nowhere", "x"));
    expect(response.status).toBe(503);
    // For whoever looks after the disk.
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/\(ENOTDIR\)$/) });
    rmSync(gateway.storageDir);
  });
});
