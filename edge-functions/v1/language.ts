// Owns the language of API responses, for the parts that are translated: tasks, problems, generated texts.
import type { Context } from "hono";
import { defaultLanguage, isLanguage, type LanguageCode, preferredLanguage } from "../../locales/registry.ts";
import type { Transaction } from "../_shared/database/db.ts";
import { problemIn, translateSentence } from "../_shared/text/problems.ts";
import type { AppEnv } from "./router.ts";

/** The first supported language in Accept-Language, if any. */
export function askedLanguage(c: Context<AppEnv>): LanguageCode | undefined {
  return preferredLanguage(c.req.header("Accept-Language"));
}

/** The requested language, else the user's own, else the default. */
export async function languageOf(c: Context<AppEnv>, tx: Transaction): Promise<LanguageCode> {
  const asked = askedLanguage(c);
  if (asked) return asked;
  const { caller } = c.var;
  if (caller.kind !== "user") return defaultLanguage;
  const [user] = await tx<{ locale: string }[]>`select locale from public.users where id = ${caller.id}`;
  return isLanguage(user?.locale) ? user.locale : defaultLanguage;
}

/** Translates a row's error, note and warnings. Omits warnings outside of the catalogue, which earlier releases stored beside a note. */
export function inWords<T extends { error: string | null; note?: string | null; warnings?: string[] }>(
  row: T,
  language: LanguageCode,
): T {
  return {
    ...row,
    ...(row.error === null ? {} : { error: translateSentence(row.error, language) }),
    ...(row.note ? { note: translateSentence(row.note, language) } : {}),
    ...(row.warnings && {
      warnings: row.warnings.filter(problemIn).map((warning) => translateSentence(warning, language)),
    }),
  };
}
