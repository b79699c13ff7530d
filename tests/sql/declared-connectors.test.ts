// A new connector needs one folder and one line: the API, Postgres, the form, the docs and imports use its declaration.
import { createInstance } from "i18next";
import type { Sql } from "postgres";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { closeDatabase } from "../../edge-functions/_shared/database/db.ts";
import { I18nextProvider } from "../../web/render/server-translations.tsx";
import { claimsOf } from "../support/actors.ts";
import words from "../support/connectors/wiki/words.json" with { type: "json" };
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";
import { asCaller, refusal } from "./acting.ts";
import { makeWorld, type World } from "./world.ts";

// The one line.
vi.mock("../../edge-functions/indexing/connectors/connectors.ts", async (original) => {
  const { connectors } =
    await original<typeof import("../../edge-functions/indexing/connectors/connectors.ts")>();
  return { connectors: [...connectors, (await import("../support/connectors/wiki/index.ts")).wiki] };
});

const { app } = await import("../../edge-functions/v1/app.ts");
const { declarations } = await import("../../edge-functions/indexing/connectors/registry.ts");
const { movesCredentials, validConfig, validCredentials } = await import(
  "../../edge-functions/v1/sources/types.ts"
);
const { tables } = await import("../../edge-functions/importing/rows.ts");
const { declaredSql } = await import("../../supabase/local/connectors/declared-sql.ts");
const { declaredTable } = await import("../../supabase/local/connectors/declared-table.ts");
const { askWiki } = await import("../support/connectors/wiki/index.ts");
const { SourceFields } = await import("../../web/pages/teams/@teamId/sources/SourceFields.tsx");
const { SourceReads } = await import("../../web/pages/teams/@teamId/sources/create/SourceReads.tsx");
const { RenderContextProvider } = await import("../../web/render/render-context.tsx");
const { credentialsIn, settingsIn } = await import("../../web/pages/teams/@teamId/sources/source-form.ts");

const base = "https://acme.wiki.example";
let database: TestPostgres;
let service: Upstream;
let sql: Sql;
let world: World;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  service = await startUpstream();
  const settings = {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: "http://127.0.0.1:1",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:2",
    SECRETS_KEY: "0123456789abcdef0123456789abcdef",
    PARLEY_OUTBOUND_ALLOW: new URL(service.url).host,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  world = await makeWorld(sql);
  // The SQL of its migration.
  await sql.unsafe(declaredSql(declarations));
});
afterAll(async () => {
  await closeDatabase();
  await service?.close();
  await database?.stop();
});

const typeOf = async () => {
  const { data } = await (await app.request("/v1/sourceTypes")).json();
  return data.find((one: { type: string }) => one.type === "wiki");
};

test("the API describes it, validates its settings and knows where its credentials are sent", async () => {
  const { components } = await (await app.request("/v1/openapi.json")).json();
  expect(components.schemas.NewSource.properties.type.enum).toContain("wiki");
  const { config, credentials } = components.schemas.NewSource.properties;
  expect(config.description).toContain("For wiki: { base, spaces, parts, drafts }.");
  expect(credentials.description).toContain("For wiki: { token }.");
  expect(await typeOf()).toMatchObject({ login: "required", addresses: ["base"], reads: ["pages"] });
  const kept = { base, spaces: ["A"], parts: ["pages"], drafts: false };
  expect(validConfig("wiki", { base: `${base}/home`, spaces: ["A"] })).toEqual(kept);
  expect(() => validConfig("wiki", { base, spaces: ["a b"] })).toThrow();
  expect(() => validCredentials("wiki", { token: "x", more: "y" })).toThrow();
  expect(movesCredentials("wiki", kept, { ...kept, base: "https://evil.wiki.example" })).toBe(true);
  expect(movesCredentials("wiki", kept, { ...kept, spaces: [] })).toBe(false);
});

test("Postgres accepts its settings and no others, deletes credentials on a changed URL, guards its documents", async () => {
  const as = <T>(work: Parameters<typeof asCaller<T>>[2]) => asCaller(sql, claimsOf("editor", world), work);
  const add = (config: object) =>
    as(
      (tx) => tx`insert into public.sources (team_id, type, name, config)
                 values (${world.team}, 'wiki', 'Wiki', ${JSON.stringify(config)}::text::jsonb)`,
    );
  for (const wrong of [
    { base: "javascript:x" },
    { spaces: ["lower"] },
    { parts: ["drafts"] },
    { site: base },
  ])
    expect([wrong, await refusal(add(wrong))]).toEqual([wrong, "23514"]);
  expect(await refusal(add({ base, spaces: ["A"], parts: ["posts"], drafts: true }))).toBeUndefined();
  const [source] = await sql`
    insert into public.sources (team_id, type, name, config)
    values (${world.team}, 'wiki', 'Kept', ${sql.json({ base })}) returning id`;
  await sql`insert into private.source_credentials (source_id, team_id, ciphertext)
            values (${source?.id}, ${world.team}, ${Buffer.from("sealed")})`;
  const readCredentials = () => sql`select 1 from private.source_credentials where source_id = ${source?.id}`;
  const change = (config: object) =>
    sql`update public.sources set config = ${JSON.stringify(config)}::text::jsonb where id = ${source?.id}`;
  await change({ base, spaces: ["B"] });
  expect(await readCredentials()).toHaveLength(1);
  await change({ base: "https://other.wiki.example" });
  expect(await readCredentials()).toHaveLength(0);
  const written = as(
    (tx) => tx`insert into public.documents (team_id, source_id, external_id, type, title, content)
               values (${world.team}, ${world.source}, '1', 'wiki', 'By hand', 'Text.')`,
  );
  expect(await refusal(written)).toBe("23514");
});

test("its credentials are sent only to the declared address", async () => {
  const asked: unknown[] = [];
  service.handle((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(200, { "content-type": "application/json" }).end('"text"');
  });
  const source = {
    id: "",
    teamId: "",
    type: "wiki",
    config: { base: service.url },
    credentials: { token: "t" },
  };
  const context = {
    source,
    signal: AbortSignal.timeout(5000),
    read: () => Promise.reject(new Error("none")),
  };
  expect(await askWiki(context)).toBe("text");
  await expect(askWiki(context, service.url.replace("127.0.0.1", "localhost"))).rejects.toThrow(
    "belong to other addresses",
  );
  expect(asked).toEqual(["Bearer t"]);
});

test("the form shows its fields with its words, and parses them", async () => {
  const i18n = createInstance();
  await i18n.init({ lng: "en", resources: { en: { "source-wiki": words, sources: {}, app: {} } } });
  const type = await typeOf();
  const render = (element: ReturnType<typeof createElement>) =>
    renderToStaticMarkup(
      createElement(
        I18nextProvider,
        { i18n },
        // The fields expect a rejected form in the context, and there is none.
        createElement(RenderContextProvider, { value: { form: undefined } as never }, element),
      ),
    );
  const html = render(createElement(SourceFields, { type, config: { spaces: ["A", "B"] } }));
  for (const part of [
    'name="config.base"',
    'placeholder="https://acme.wiki.example"',
    'value="A, B"',
    'name="config.drafts"',
    'type="password"',
    'name="credentials.token"',
    "Where you open the wiki.",
    "Posts",
  ])
    expect(html).toContain(part);
  expect(render(createElement(SourceReads, { type }))).toContain("Published pages");
  const form = new FormData();
  for (const [name, value] of Object.entries({ base, spaces: "A, B", parts: "posts", drafts: "on" }))
    form.append(`config.${name}`, value);
  form.append("credentials.token", "t");
  expect(settingsIn(type, form)).toEqual({ base, spaces: ["A", "B"], parts: ["posts"], drafts: true });
  expect(credentialsIn(type, form)).toEqual({ credentials: { token: "t" } });
});

test("the docs list it and an exported source of it can be imported", () => {
  const known = { about: "About.", not: "Not." };
  const table = declaredTable(declarations, (type) => (type === "wiki" ? words : known));
  expect(table).toMatch(/\| wiki +\| `base`, `spaces`, `parts`, `drafts` +\| `token` +\| Pages of a wiki\./);
  const row = {
    id: "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42",
    type: "wiki",
    name: "Wiki",
    config: { base },
    schedule: "daily",
    createdAt: "2026-01-01T00:00:00Z",
  };
  expect(tables.sources(row)).toMatchObject({
    content: { type: "wiki", config: { base }, schedule: "daily" },
  });
  expect(() => tables.sources({ ...row, type: "unknown" })).toThrow();
});
