// Owns in which language the API speaks to somebody, where it speaks at all: tasks, what went wrong, model-made texts.
import type { Context } from "hono";
import { defaultLanguage, isLanguage, type LanguageCode, preferredLanguage } from "../../locales/registry.ts";
import type { Transaction } from "../_shared/database/db.ts";
import { inLanguage } from "../_shared/text/problems.ts";
import type { AppEnv } from "./router.ts";

/** The first of ours that Accept-Language asks for, if any. */
export function askedLanguage(c: Context<AppEnv>): LanguageCode | undefined {
  return preferredLanguage(c.req.header("Accept-Language"));
}

/** The one that is asked for, else the user's own, else the default. */
export async function languageOf(c: Context<AppEnv>, tx: Transaction): Promise<LanguageCode> {
  const asked = askedLanguage(c);
  if (asked) return asked;
  const { caller } = c.var;
  if (caller.kind !== "user") return defaultLanguage;
  const [user] = await tx<{ locale: string }[]>`select locale from public.users where id = ${caller.id}`;
  return isLanguage(user?.locale) ? user.locale : defaultLanguage;
}

/** A row with what went wrong in a reader's language. */
export function inWords<T extends { error: string | null; note?: string | null }>(
  row: T,
  language: LanguageCode,
): T {
  return {
    ...row,
    ...(row.error === null ? {} : { error: inLanguage(row.error, language) }),
    ...(row.note ? { note: inLanguage(row.note, language) } : {}),
  };
}
