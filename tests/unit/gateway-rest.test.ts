// Rows through /rest/v1: what lite must not change, and the rights it reads them with.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { largest } from "../../supabase/local/gateway/bounded-socket.ts";
import { signToken, startTestGateway, type TestGateway } from "../support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.sql.unsafe(`
    create table public.notes (id int primary key, owner uuid not null, body text not null);
    revoke all on public.notes from anon, authenticated, public;
    grant select on public.notes to authenticated;
    alter table public.notes enable row level security;
    create policy "people read their own notes" on public.notes for select to authenticated
      using (owner = (select auth.uid()));
    create function public.whoami() returns jsonb language sql stable as $$
      select jsonb_build_object('role', current_user, 'uid', auth.uid(), 'jwt_role', auth.role(),
        'claims', current_setting('request.jwt.claims', true)::jsonb,
        'sub', current_setting('request.jwt.claim.sub', true),
        'header', current_setting('request.headers', true)::jsonb ->> 'x-text')
    $$;
    create table public.counts (id int primary key check (id < 10), of_note int references public.notes (id));
    grant select, insert on public.counts to authenticated, anon;
    alter table public.counts enable row level security;
    create policy "people add counts" on public.counts for insert to authenticated with check (true);
    create function public.refuse(state text) returns void language plpgsql as $$
    begin
      raise exception 'words of the function' using errcode = state, detail = 'a detail';
    end
    $$;
    create function public.time_limit() returns text language sql stable as $$
      select current_setting('statement_timeout')
    $$;
    create function public.echo(said text, list text[]) returns text[] language sql as 'select array[said] || list';
    create function public.take(list jsonb, dates date[]) returns void language sql as 'select';
    insert into public.notes values (1, '11111111-1111-4111-8111-111111111111', 'mine'),
      (2, '22222222-2222-4222-8222-222222222222', 'theirs');
  `);
});
afterAll(() => gateway.stop());

const me = "11111111-1111-4111-8111-111111111111";
const grants = () => gateway.sql`
  select n.nspname as schema, c.relname as name, c.relacl::text as acl
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'private', 'auth', 'storage', 'supabase_migrations') order by 1, 2`;
const defaults = () =>
  gateway.sql`select defaclnamespace, defaclacl::text as acl from pg_default_acl order by 1, 2`;
const schemas = () => gateway.sql`select nspname, nspacl::text as acl from pg_namespace order by 1`;

async function asUser(
  path: string,
  claims: object = { role: "authenticated", sub: me },
  init: RequestInit = {},
) {
  const token = await signToken({ ...claims });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${gateway.url}/rest/v1/${path}`, { headers, ...init });
  return { status: response.status, body: await response.json().catch(() => undefined) };
}

describe("rows over REST", () => {
  it("reject JSON that is nested too deeply with PostgREST's code, and the database continues", async () => {
    for (const depth of [300, 60_000]) {
      const body = `{"id":${"[".repeat(depth)}${"]".repeat(depth)}}`;
      const { status, body: refusal } = await asUser("counts", undefined, { method: "POST", body });
      expect([status, refusal.code]).toEqual([413, "54001"]);
    }
    const brackets = JSON.stringify({ id: 2, of_note: null, body: "[".repeat(300) });
    expect((await asUser("counts", undefined, { method: "POST", body: brackets })).status).toBeLessThan(413);
    expect((await asUser("notes?select=body")).body).toEqual([{ body: "mine" }]);
  });

  it.each([
    ["((((", "parentheses () not balanced"],
    ["a{1,99999}", "invalid repetition count(s)"],
    ["(?:(?:a?){99}){99}", "regular expression is too complex"],
    // The embedded Postgres calls its memory for this one an internal error.
    ["(a{1,255}){1,255}", "regular expression is too complex"],
  ])("refuse the regular expression %s of a filter, in every form", async (expression, why) => {
    // lite writes a line for each statement that Postgres refuses.
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    for (const filter of [`match.${expression}`, `imatch.${expression}`, `not.match.${expression}`]) {
      const { status, body } = await asUser(`notes?body=${encodeURIComponent(filter)}`);
      expect([filter, status, body]).toMatchObject([
        filter,
        400,
        { code: "2201B", message: `invalid regular expression: ${why}` },
      ]);
    }
    log.mockRestore();
    expect((await asUser("notes?select=body&body=match.^m")).body).toEqual([{ body: "mine" }]);
  });

  it("store an object or a list for a text as its JSON, as PostgREST does", async () => {
    const text = JSON.stringify({ a: [1, "é"] });
    const echo = async (body: object) =>
      (await asUser("rpc/echo", undefined, { method: "POST", body: JSON.stringify(body) })).body;
    expect(await echo({ said: { a: [1, "é"] }, list: [{ b: 2 }, "c", 3] })).toEqual([
      text,
      '{"b":2}',
      "c",
      "3",
    ]);
    expect(await echo({ said: ["x", { b: 2 }], list: [] })).toEqual(['["x",{"b":2}]']);
  });

  it("are refused when they are larger than the gateway takes, and the next request is served", async () => {
    const usual = largest.bytes;
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    largest.bytes = 100_000;
    const echo = (size: number) => {
      const body = JSON.stringify({ said: "x".repeat(size), list: [] });
      return asUser("rpc/echo", undefined, { method: "POST", body });
    };
    expect((await echo(90_000)).status).toBe(200);
    expect(await echo(200_000)).toMatchObject({ status: 413, body: { code: "54000" } });
    expect((await asUser("notes?select=body")).body).toEqual([{ body: "mine" }]);
    largest.bytes = usual;
    errors.mockRestore();
  });

  it("keep every grant as in sql/: lite would open every table to everyone", async () => {
    const before = [await grants(), await defaults(), await schemas()];
    expect((await asUser("notes?select=body")).body).toEqual([{ body: "mine" }]);
    await gateway.asService("/rest/v1/notes?select=*");
    await gateway.asService("/storage/v1/bucket");
    await gateway.asService("/auth/v1/settings");
    expect([await grants(), await defaults(), await schemas()]).toEqual(before);
  });

  it("are those that the caller's policies show", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    expect((await asUser("notes?select=id")).body).toEqual([{ id: 1 }]);
    expect((await asUser("notes?select=id", { role: "anon" })).status).toBe(401);
    const denied = await asUser("notes?id=eq.1", undefined, { method: "DELETE" });
    expect(denied.status).toBe(403);
    errors.mockRestore();
    expect(await gateway.sql`select id from public.notes order by id`).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("see the caller's claims in both forms, until the request ends", async () => {
    const claims = { role: "authenticated", sub: me, email: "me@x.test" };
    const { body } = await asUser("rpc/whoami", claims, {
      method: "POST",
      body: "{}",
      headers: {
        authorization: `Bearer ${await signToken(claims)}`,
        "content-type": "application/json",
      },
    });
    expect(body).toMatchObject({ role: "authenticated", uid: me, jwt_role: "authenticated", sub: me });
    expect(body.claims).toMatchObject(claims);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2
          ? asUser("notes?select=id")
          : gateway.asService("/rest/v1/notes?select=id").then((r) => r.json()),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      expect(index % 2 ? answer.body : answer).toHaveLength(index % 2 ? 1 : 2);
    }
    const [row] =
      await gateway.sql`select current_setting('request.jwt.claim.sub', true) as sub, current_user as who`;
    expect(row?.who).toBe("postgres");
    expect(row?.sub ?? "").toBe("");
  });

  it("see claims and headers as they are, whatever their characters: none becomes SQL", async () => {
    for (const text of [
      `'; reset role; select '`,
      "\\'; reset role; --",
      "e'\\\\",
      '"',
      "é\u2028 😀",
      "$1 :x ; set role",
    ]) {
      const claims = { role: "authenticated", sub: me, email: text };
      const headers = {
        authorization: `Bearer ${await signToken(claims)}`,
        "content-type": "application/json",
        "x-text": encodeURIComponent(text).replaceAll("%27", "'").replaceAll("%5C", "\\"),
      };
      const { body } = await asUser("rpc/whoami", claims, { method: "POST", body: "{}", headers });
      expect(body).toMatchObject({ role: "authenticated", uid: me, claims, header: headers["x-text"] });
    }
  });

  it("belong to the caller over SQL too, where only hosted Supabase's form of the claims is set", async () => {
    await gateway.sql.begin(async (tx) => {
      await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: me, role: "authenticated", email: "me@x.test" })}, true)`;
      await tx`set local role authenticated`;
      expect(await tx`select id from public.notes`).toEqual([{ id: 1 }]);
      const [row] = await tx`select auth.uid() as uid, auth.role() as role, auth.email() as email`;
      expect(row).toEqual({ uid: me, role: "authenticated", email: "me@x.test" });
    });
  });

  it("are rejected with PostgREST's status for the error", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const insert = async (row: object) => {
      const answer = await asUser("counts", undefined, { method: "POST", body: JSON.stringify(row) });
      return [answer.status, answer.body.code];
    };
    expect(await insert({ id: 11 })).toEqual([400, "23514"]);
    expect(await insert({ id: null })).toEqual([400, "23502"]);
    expect(await insert({ id: 1, of_note: 9 })).toEqual([409, "23503"]);
    expect(await insert({ id: "one" })).toEqual([400, "22P02"]);
    const raise = async (state: string) => {
      const answer = await asUser("rpc/refuse", undefined, {
        method: "POST",
        body: JSON.stringify({ state }),
      });
      return [answer.status, answer.body.code, answer.body.message];
    };
    const words = "words of the function";
    expect(await raise("PT404")).toEqual([404, "PT404", words]);
    expect(await raise("PT409")).toEqual([409, "PT409", words]);
    expect(await raise("P0001")).toEqual([400, "P0001", words]);
    expect(await raise("23514")).toEqual([400, "23514", words]);
    expect(await raise("22023")).toEqual([400, "22023", words]);
    expect(await raise("42501")).toEqual([403, "42501", words]);
    expect(await raise("54001")).toEqual([400, "54001", words]);
    for (const [state, status] of Object.entries({ P0404: 500, XX000: 500, "57014": 503, "55P03": 503 })) {
      const [answered, code, told] = await raise(state);
      expect([answered, code]).toEqual([status, state]);
      expect(told).not.toContain(words);
    }
    errors.mockRestore();
  });

  it("are limited: rows, embedded tables and statement time", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    await gateway.sql`insert into public.notes select n, ${me}, 'many' from generate_series(100, 1200) n`;
    for (const limit of ["", "&limit=100000"]) {
      expect((await asUser(`notes?select=id${limit}`)).body).toHaveLength(1000);
    }
    await gateway.sql`delete from public.notes where id >= 100`;
    expect((await asUser("notes?select=id,counts(id)")).status).toBe(200);
    const nested = await asUser("notes?select=id,counts(id,notes(id,counts(id)))");
    expect(nested).toMatchObject({ status: 400, body: { code: "54001" } });
    const many = Array.from({ length: 6 }, (_, n) => `c${n}:counts(id)`).join();
    expect((await asUser(`notes?select=id,${many}`)).status).toBe(400);
    expect((await asUser('notes?select=id,"((("')).body.code).not.toBe("54001");
    const limit = await asUser("rpc/time_limit", undefined, { method: "POST", body: "{}" });
    expect(limit.body).toBe("8s");
    errors.mockRestore();
  });

  it("are counted exactly: an estimate is made from everybody's rows", async () => {
    const count = async (prefer: string) => {
      const token = await signToken({ role: "authenticated", sub: me });
      const headers = { authorization: `Bearer ${token}`, prefer };
      const { status, headers: answered } = await fetch(`${gateway.url}/rest/v1/notes?select=id`, {
        headers,
      });
      return [status, answered.get("content-range")];
    };
    expect(await count("count=exact")).toEqual([200, "0-0/1"]);
    for (const prefer of ["count=planned", "count=estimated", "return=minimal, Count = planned"])
      expect(await count(prefer)).toEqual([400, null]);
  });

  it("reject arguments that the driver cannot send", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    for (const dates of [{}, [{}], [[]], 5]) {
      const body = JSON.stringify({ list: [], dates });
      const answer = await asUser("rpc/take", undefined, { method: "POST", body });
      expect([dates, Math.floor(answer.status / 100)]).toEqual([dates, expect.toBeOneOf([2, 4])]);
    }
    errors.mockRestore();
  });

  it("are of schema public only", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    for (const schema of ["auth", "storage", "private", "pg_catalog", "supabase_migrations"]) {
      const response = await gateway.asService("/rest/v1/users?select=*", {
        headers: { "accept-profile": schema },
      });
      expect(response.status).toBe(406);
    }
    errors.mockRestore();
  });

  it("describe themselves to the service only", async () => {
    expect((await asUser("")).status).toBe(403);
    expect((await gateway.asService("/rest/v1/")).status).toBe(200);
  });
});
