// A new language needs one folder and one line: the API, Postgres, mails, Slack, messages, imports and the web use its declaration.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import app from "../../locales/en/app.json" with { type: "json" };
import type { LanguageCode } from "../../locales/registry.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { refusal } from "./acting.ts";
import { makeWorld, type World } from "./world.ts";

// The one line.
vi.mock("../../locales/languages.ts", async (original) => {
  const { languages } = await original<typeof import("../../locales/languages.ts")>();
  return { languages: [...languages, (await import("../support/languages/ga/language.ts")).ga] };
});

const { languages } = await import("../../locales/languages.ts");
const { documentLanguages, documentLanguageOf, preferredLanguage } = await import(
  "../../locales/registry.ts"
);
const { say } = await import("../../locales/say.ts");
const { app: api } = await import("../../edge-functions/v1/app.ts");
const { messageOf } = await import("../../edge-functions/v1/tasks/words.ts");
const { translateSentence } = await import("../../edge-functions/_shared/text/problems.ts");
const { invitationMail } = await import("../../edge-functions/v1/team-users/invitation-mail.ts");
const { wordsFor } = await import("../../edge-functions/slack/words.ts");
const { tables } = await import("../../edge-functions/importing/rows.ts");
const { declaredSql } = await import("../../supabase/local/languages/declared-sql.ts");
const { mailTemplates } = await import("../../supabase/local/languages/mail-templates.ts");
const { renderMail } = await import("../../supabase/local/gateway/mail-template.ts");
const { Preferences } = await import("../../web/layouts/Preferences.tsx");
const { RenderContextProvider } = await import("../../web/render/render-context.tsx");
const { I18nextProvider } = await import("../../web/render/server-translations.tsx");
const { localeFromHeader, localeNames } = await import("../../web/render/locale.ts");
const { i18nFor, resources } = await import("../../web/request/i18n.ts");
const { languageName } = await import("../../web/request/language-name.ts");

/** The compiler does not know it. */
const irish = "ga" as LanguageCode;
const reader = { language: irish, timeZone: "UTC" };

let database: TestPostgres;
let sql: Sql;
let world: World;

beforeAll(async () => {
  database = await startTestPostgres();
  const settings = {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: "http://127.0.0.1:1",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "https://parley.test",
    SECRETS_KEY: "0123456789abcdef0123456789abcdef",
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
  // The SQL of its migration.
  await sql.unsafe(declaredSql(languages));
});
afterAll(async () => {
  await database?.stop();
});

test("the API describes it, and an export in it can be imported", async () => {
  const { components } = await (await api.request("/v1/openapi.json")).json();
  const { User, Handover, Knowledge } = components.schemas;
  const codes = languages.map(({ code }) => code);
  expect(codes).toContain("ga");
  expect(User.properties.locale.enum).toEqual(codes);
  expect(Handover.properties.language.enum).toEqual(codes);
  expect(Knowledge.properties.language.enum).toEqual(documentLanguages);
  const knowledge = {
    id: randomUUID(),
    name: "Leabhar",
    description: "",
    language: "ga",
    chunkMaxTokens: 320,
    chunkOverlapTokens: 40,
    status: "none",
    createdAt: "2026-01-01T00:00:00Z",
  };
  expect(tables.knowledges(knowledge)).toMatchObject({ content: { language: "ga" } });
  expect(() => tables.knowledges({ ...knowledge, language: "xx" })).toThrow();
});

test("Postgres accepts it for people, documents and handovers, and rejects an undeclared one", async () => {
  const person = () => sql`update public.users set locale = 'ga' where id = ${world.people.editor}`;
  expect(await refusal(person())).toBeUndefined();
  const other = sql`update public.users set locale = 'xx' where id = ${world.people.editor}`;
  expect(await refusal(other)).toBe("23514");
  const id = randomUUID();
  await sql`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${`${id}@x.test`}, '{"locale":"ga"}')`;
  expect(await sql`select locale from public.users where id = ${id}`).toMatchObject([{ locale: "ga" }]);
  const knowledge = (language: string) =>
    sql`insert into public.knowledges (team_id, name, language) values (${world.team}, 'K', ${language})`;
  expect(await refusal(knowledge("ga"))).toBeUndefined();
  expect(await refusal(knowledge("xx"))).toBe("23514");
  expect(await sql`select private.search_config('ga')::text as used`).toEqual([{ used: "irish" }]);
});

test("messages use its plural forms, and fall back to English without words", () => {
  const message = (messageCode: string, messageParams = {}) =>
    messageOf({ type: "loadDocuments", done: 0, total: 0, messageCode, messageParams }, reader);
  const loadedMessage = (documents: number) => message("loaded", { documents });
  expect([1, 2, 5, 7, 1234].map(loadedMessage)).toEqual([
    "1 doiciméad",
    "2 dhoiciméad",
    "5 dhoiciméad (3–6)",
    "7 ndoiciméad",
    "1,234 doiciméad",
  ]);
  expect(message("queued")).toBe("Ag fanacht");
  expect(message("starting")).toBe("Starting");
  expect(say(irish, "names:writtenAnswers", { name: "x" })).toBe("Written answers: x");
  expect(translateSentence("Too many requests. Wait a moment and try again.", irish)).toBe("Fan nóiméad.");
  expect(
    translateSentence("“x” cannot be read: Jira sent this issue in a form that cannot be read.", irish),
  ).toBe("«x» cannot be read: Jira sent this issue in a form that cannot be read.");
  expect(wordsFor("ga-IE")).toMatchObject({ hello: "Cuir ceist orm.", stopped: "Stopped." });
});

test("mails are in it, the auth server's too", () => {
  const mail = { to: "a@x.test", team: "Ops", inviter: null, hasAccount: true, language: irish };
  expect(invitationMail(mail)).toMatchObject({ language: "ga", subject: "Cuireadh chuig Ops" });
  const values = {
    SiteURL: "https://parley.test",
    Token: "1",
    TokenHash: "2",
    Email: "a@x.test",
    NewEmail: "",
  };
  const mailsIn = (locale: string) =>
    mailTemplates(languages)
      .slice(0, 2)
      .map(({ html }) => renderMail(html, { ...values, Data: { locale } }));
  const [confirmation, recovery] = mailsIn("ga");
  expect(confirmation).toMatchObject({ subject: "Deimhnigh do sheoladh" });
  expect(confirmation?.html).toContain('<html lang="ga">');
  expect(recovery).toMatchObject({ subject: "Choose a new password" });
  expect(mailsIn("fr").map(({ subject }) => subject)).toEqual([
    say("fr", "mails:confirmation.subject"),
    say("fr", "mails:recovery.subject"),
  ]);
});

test("the web offers it, serves it on request, and knows its name", () => {
  expect(preferredLanguage("eu, ga-IE;q=0.8, en;q=0.2")).toBe("ga");
  expect(localeFromHeader("ga")).toBe("ga");
  expect(localeNames.map(({ name }) => name)).toContain("Gaeilge");
  // Its screens are in English until it has words for them.
  const i18n = i18nFor(irish);
  expect(i18n.t("app:language")).toBe(app.language);
  // Islands know one language, and are given all words.
  expect(resources.ga?.app).toEqual(app);
  const context = { frame: { locale: "ga", theme: "system" } } as never;
  const html = renderToStaticMarkup(
    createElement(
      I18nextProvider,
      { i18n },
      createElement(RenderContextProvider, { value: context }, createElement(Preferences, {})),
    ),
  );
  expect(html).toContain(app.language);
  expect(html).toMatch(/value="ga" lang="ga" aria-pressed="true"[^>]*>Gaeilge</);
  expect(documentLanguages).toContain("ga");
  expect(documentLanguageOf(irish)).toBe("ga");
  expect(languageName("ga", "fr")).toBe("Irlandais");
});
