// Requests to /rest/v1 that lite by itself reads, changes or answers otherwise than PostgREST.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  gateway = await startTestGateway();
  await gateway.sql.unsafe(`
    create table public.things (id int primary key, name text not null, size int not null default 7, is_new boolean,
      bytes bytea, list text[] not null default '{}', config jsonb, at timestamptz);
    alter table public.things enable row level security;
    create table public.parts (id int primary key, thing_id int references public.things (id), kind text);
    alter table public.parts enable row level security;
    grant all on public.things, public.parts to service_role;
    create function public.same(value jsonb) returns jsonb language sql as 'select value';
  `);
});
afterAll(() => gateway.stop());

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any request
  body: any;
  headers: Headers;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await gateway.asService(`/rest/v1/${path}`, {
    method,
    headers: { "content-type": "application/json", prefer: "return=representation", ...headers },
    body: typeof body === "string" || body === undefined ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: text && JSON.parse(text), headers: answer.headers };
}

const namesOf = async (query: string) =>
  (await call("GET", `things?select=name&order=id&${query}`)).body.map(({ name }: { name: string }) => name);

describe("filters", () => {
  const names = ["1.50", "null", "12345678901234567890", 'q"q', "a,b", "a(b)", "plain", "pla*in"];
  beforeAll(async () => {
    await gateway.sql`delete from public.things`;
    for (const [id, name] of names.entries())
      await gateway.sql`insert into public.things (id, name, list) values (${id}, ${name}, ${id === 6 ? ["x", "y,z"] : []})`;
    await gateway.sql`insert into public.parts values (1, 6, '1.50'), (2, 6, '1.5'), (3, 6, 'null')`;
    await gateway.sql`update public.things set config = '{"n":10,"t":"10","l":[1,2]}' where id = 6`;
  });

  it.each(names)("compare a text as it is: %s", async (name) => {
    expect(await namesOf(`name=eq.${encodeURIComponent(name)}`)).toEqual([name]);
    const inGroup = `"${name.replaceAll('"', '\\"')}"`;
    expect(await namesOf(`or=(name.eq.${encodeURIComponent(inGroup)})`)).toEqual([name]);
    expect(await namesOf(`name=in.(${encodeURIComponent(inGroup)},other)`)).toEqual([name]);
  });

  it.each([
    ["name=neq.plain&name=neq.null&name=neq.1.50", ["12345678901234567890", 'q"q', "a,b", "a(b)", "pla*in"]],
    ["name=not.like.a*&name=not.like.1*&name=not.like.p*", ["null", 'q"q']],
    ["or=(name.eq.null,name.eq.plain)&or=(name.eq.plain,name.eq.1.50)", ["plain"]],
    ["not.or=(name.like.a*,name.like.1*)&not.and=(name.like.p*,id.gt.1)", ["null", 'q"q']],
    ["and=(id.gt.1,or(name.eq.plain,not.and(id.gt.2,id.lt.9)))", ["12345678901234567890", "plain"]],
    ["name=like(all).{p*,*n}", ["plain", "pla*in"]],
    ["list=eq.{}&id=gte.6", ["pla*in"]],
    ['or=(list.cs.{x,"y,z"},id.eq.0)', ["1.50", "plain"]],
    ["config->n=gt.9", ["plain"]],
    ["config->>t=eq.10", ["plain"]],
    ["config=cs.{%22l%22:[2]}", ["plain"]],
    ["config->l=eq.[1,2]", ["plain"]],
    ['config->l=in.("[1,2]")', ["plain"]],
    ["is_new=is.null&name=is.not_null&id=lt.1", ["1.50"]],
  ])("that all must hold: %s", async (query, expected) => {
    expect(await namesOf(query)).toEqual(expected);
  });

  it("of an embedded table are read alike", async () => {
    const kinds = async (query: string) =>
      (await call("GET", `things?select=p:parts(kind)&id=eq.6&${query}`)).body[0]?.p.map(
        ({ kind }: { kind: string }) => kind,
      );
    expect(await kinds("p.kind=eq.1.50")).toEqual(["1.50"]);
    expect(await kinds("p.kind=neq.1.50&p.kind=neq.null")).toEqual(["1.5"]);
    expect(await kinds("p.or=(kind.eq.null,kind.eq.1.5)&p.order=kind")).toEqual(["1.5", "null"]);
    expect((await call("GET", "things?select=name,parts!inner(id)&parts.kind=eq.none")).body).toEqual([]);
  });

  it.each([
    ["name=A", "PGRST100"],
    ["name=eq", "PGRST100"],
    ["name=nope.A", "PGRST100"],
    ["name=in.(a", "PGRST100"],
    ["name=is.nullx", "PGRST100"],
    ["or=(name.eq.a))", "PGRST100"],
    ["or=(name.eq.a,)", "PGRST100"],
    ["and=()", "PGRST100"],
    [`and=(${"and(".repeat(60)}id.eq.1${")".repeat(60)})`, "PGRST100"],
    ["=eq.1", "PGRST100"],
    ['and=("".eq.1)', "PGRST100"],
    ["name=fts(a;b).x", "PGRST100"],
    ["$or=eq.1", "PGRST100"],
    ["and=($exists.eq.1)", "PGRST100"],
    ["__proto__=eq.1", "42703"],
    ["and=(__proto__.eq.1)", "42703"],
    ["config->n=eq.x", "22P02"],
    ["parts.kind=eq.a", "PGRST108"],
    ["a.b.c=eq.a", "PGRST100"],
    ['select="', "PGRST100"],
    ['select=name,parts(")', "PGRST100"],
    ['select=name::"', "PGRST100"],
  ])("that cannot be read are refused: %s", async (query, code) => {
    expect(await call("GET", `things?${query}`)).toMatchObject({ status: 400, body: { code } });
  });
});

describe("values", () => {
  it("are those of Postgres's types, in both directions", async () => {
    const row = {
      id: 100,
      name: "typed",
      bytes: "\\x00ff",
      is_new: "true",
      at: "2026-01-02T03:04:05.123456+02:00",
    };
    const { status, body } = await call("POST", "things?select=bytes,is_new,at", row);
    expect([status, body]).toEqual([
      201,
      [{ bytes: "\\x00ff", is_new: true, at: "2026-01-02T01:04:05.123456+00:00" }],
    ]);
    const wrong = await call("POST", "things", { id: 101, name: "typed", is_new: "maybe" });
    expect(wrong).toMatchObject({ status: 400, body: { code: "22P02" } });
  });

  it("of type json are a function's arguments as they are", async () => {
    for (const value of [[], [1, { a: "b" }], {}, "[1]", "text", 5, null]) {
      expect((await call("POST", "rpc/same", { value })).body).toEqual(value);
      const inQuery = encodeURIComponent(JSON.stringify(value));
      expect((await call("GET", `rpc/same?value=${inQuery}`)).body).toEqual(value);
    }
  });

  it("that a row lacks are null, or the default where the client prefers that", async () => {
    const rows = [
      { id: 110, name: "a" },
      { id: 111, name: "b", size: 1 },
    ];
    const path = "things?columns=id,name,size&select=size";
    expect(await call("POST", path, rows)).toMatchObject({ status: 400, body: { code: "23502" } });
    const preferred = await call("POST", path, rows, { prefer: "return=representation,missing=default" });
    expect(preferred.body).toEqual([{ size: 7 }, { size: 1 }]);
    const csv = await call("POST", "things", "id,name,size\n112,c,NULL", { "content-type": "text/csv" });
    expect(csv).toMatchObject({ status: 400, body: { code: "23502" } });
  });
});

describe("bodies", () => {
  it.each(['"x"', "5", "{}", "[{}]", '[{"id":300,"name":"x"},1]'])("that are no rows: %s", async (body) => {
    expect(await call("POST", "things", body)).toMatchObject({ status: 400, body: { code: "PGRST102" } });
  });

  it("of no row change nothing", async () => {
    expect(await call("PATCH", "things?id=eq.1", "[]")).toMatchObject({ status: 200, body: [] });
    expect(await call("POST", "things", "[]")).toMatchObject({ status: 201, body: [] });
  });
});

describe("changes", () => {
  const single = { accept: "application/vnd.pgrst.object+json" };
  const sizes = async () =>
    (await gateway.sql`select size from public.things where id in (200, 201) order by id`).map(
      ({ size }) => size,
    );
  beforeAll(async () => {
    await gateway.sql`insert into public.things (id, name) values (200, 'pair'), (201, 'pair')`;
  });

  it("that are refused for their number of rows are not made", async () => {
    expect((await call("PATCH", "things?name=eq.pair", { size: 1 }, single)).status).toBe(406);
    expect((await call("DELETE", "things?name=eq.pair", undefined, single)).status).toBe(406);
    expect(await sizes()).toEqual([7, 7]);
  });

  it("are answered with renamed columns also where the filter no longer matches", async () => {
    const { body } = await call("PATCH", "things?size=eq.7&name=eq.pair&select=label:name,parts(id)", {
      size: 8,
    });
    expect(body).toEqual([
      { label: "pair", parts: [] },
      { label: "pair", parts: [] },
    ]);
    expect(await sizes()).toEqual([8, 8]);
  });

  it("do not claim to be rolled back: hosted Supabase does not let a client choose", async () => {
    const { headers } = await call(
      "PATCH",
      "things?id=eq.200",
      { size: 9 },
      { prefer: "return=minimal, tx=rollback" },
    );
    expect(headers.get("preference-applied")).toBe("return=minimal");
    expect(await sizes()).toEqual([9, 8]);
  });

  it("and reads have the methods that PostgREST knows", async () => {
    expect(await call("PROPFIND", "things")).toMatchObject({ status: 405, body: { code: "PGRST117" } });
  });
});
