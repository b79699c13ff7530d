// Owns in which language the API speaks to somebody, where it speaks at all: tasks, what went wrong, model-made texts.
import type { Context } from "hono";
import type { Transaction } from "../_shared/db.ts";
import { inLanguage } from "../_shared/problems.ts";
import type { AppEnv } from "./router.ts";

export type Language = "en" | "fr";

/** The first of ours that Accept-Language asks for, if any. */
export function askedLanguage(c: Context<AppEnv>): Language | undefined {
  return preferred(c.req.header("Accept-Language"));
}

/** The one that is asked for, else the user's own, else English. */
export async function languageOf(c: Context<AppEnv>, tx: Transaction): Promise<Language> {
  const asked = askedLanguage(c);
  if (asked) return asked;
  const { caller } = c.var;
  if (caller.kind !== "user") return "en";
  const [user] = await tx<{ locale: string }[]>`select locale from public.users where id = ${caller.id}`;
  return user?.locale === "fr" ? "fr" : "en";
}

/** A row with what went wrong in a reader's language. */
export function inWords<T extends { error: string | null }>(row: T, language: Language): T {
  return row.error === null ? row : { ...row, error: inLanguage(row.error, language) };
}

/** @param header "fr-CH, en;q=0.8": the best weight wins, the earlier of equals */
function preferred(header: string | undefined): Language | undefined {
  const ranked = (header ?? "").split(",").flatMap((part) => {
    const [tag = "", ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const language = tag.split("-")[0];
    const weight = Number(parameters.find((p) => p.startsWith("q="))?.slice(2) ?? 1);
    return (language === "en" || language === "fr") && weight > 0 ? [{ language, weight } as const] : [];
  });
  return ranked.toSorted((a, b) => b.weight - a.weight)[0]?.language;
}
