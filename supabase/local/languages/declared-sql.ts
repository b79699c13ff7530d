// Generates the SQL that checks languages, from their declarations. Pure.
import type { Language } from "../../../locales/language.ts";
import { declaredFunction } from "../declared-function.ts";

const head = `-- Generated from locales/*/language.ts; regenerate it with npm run languages.
-- Owns what Postgres checks and looks up about languages, through PostgREST and /v1 alike.
`;

/** The content of sql/05_languages.sql, which the migration for a new language runs as well. */
export function declaredSql(languages: readonly Language[]): string {
  const searched = languages.flatMap(({ code, search }) =>
    search === undefined ? [] : [{ code: checkName(code), search: checkName(search) }],
  );
  const configs = searched.map(({ code, search }) => `when '${code}' then 'pg_catalog.${search}'::regconfig`);
  return [
    head,
    "-- True for a language of the interface and of messages.",
    ...declaredFunction("is_language(code text)", "boolean", [
      `  select code = any ('{${listCodes(languages)}}'::text[])`,
    ]),
    "-- The languages of documents: those that Postgres can stem, and 'simple' for any other.",
    ...declaredFunction("document_languages()", "text[]", [
      `  select '{${[...searched.map(({ code }) => code), "simple"].join(",")}}'::text[]`,
    ]),
    "-- True for a language of documents.",
    ...declaredFunction("is_document_language(code text)", "boolean", [
      "  select code = any (private.document_languages())",
    ]),
    "-- The text search configuration of a document's language.",
    ...declaredFunction("search_config(language text)", "regconfig", [
      "  select case language",
      ...configs.map((one) => `    ${one}`),
      "    else 'pg_catalog.simple'::regconfig",
      "  end",
    ]),
  ].join("\n");
}

const listCodes = (languages: readonly Language[]) => languages.map(({ code }) => checkName(code)).join(",");

/** @throws Error for a name that would need quotes */
function checkName(name: string): string {
  if (!/^[a-z_]+$/.test(name))
    throw new Error(`${name} is not a code of a language or of a text search configuration`);
  return name;
}
