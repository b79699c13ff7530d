// Every language has the same keys, placeholders, markup and plural forms, and every key in the code exists. A missing word would show as
// its key.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { locales } from "../../web/render/locale.ts";

type Messages = { [key: string]: string | Messages };

const read = (locale: string, file: string): Messages =>
  JSON.parse(readFileSync(join("locales", locale, file), "utf8"));
const PLURAL = /_(zero|one|two|few|many|other)$/;

/** Flat keys with their texts. */
function flatten(messages: Messages, prefix = ""): [string, string][] {
  return Object.entries(messages).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );
}

const withoutPlurals = (keys: string[]): string[] =>
  [...new Set(keys.map((key) => key.replace(PLURAL, "_#")))].sort();
const placeholders = (text: string): string[] =>
  [...new Set(text.match(/\{\{\s*\w+|<\/?\w+>|\{\w+\}/g) ?? [])].sort();

const files = readdirSync("locales/en").filter((file) => file.endsWith(".json"));

test("each folder is a declared language, and all languages have the same files", () => {
  const folders = readdirSync("locales", { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...locales].sort());
  for (const locale of locales)
    expect(readdirSync(join("locales", locale)).filter((one) => one !== "reading")).toEqual(
      [...files, "language.ts"].sort(),
    );
});

describe.each(files)("%s", (file) => {
  const english = new Map(flatten(read("en", file)));

  test.each(locales)("%s has the keys of English", (locale) => {
    const keys = flatten(read(locale, file)).map(([key]) => key);
    expect(withoutPlurals(keys)).toEqual(withoutPlurals([...english.keys()]));
  });

  test.each(locales)("%s has no empty text and the placeholders of English", (locale) => {
    for (const [key, text] of flatten(read(locale, file))) {
      expect(text.trim(), key).not.toBe("");
      const source = english.get(key) ?? english.get(key.replace(PLURAL, "_other")) ?? "";
      // The singular may omit the number.
      const expected = placeholders(source).filter(
        (name) => !/_one$/.test(key) || placeholders(text).includes(name),
      );
      expect(placeholders(text), key).toEqual(expected);
    }
  });

  test.each(locales)("%s has every plural form of its language", (locale) => {
    const keys = flatten(read(locale, file)).map(([key]) => key);
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    for (const stem of new Set(
      keys.filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, "")),
    )) {
      const present = keys.filter((key) => key.replace(PLURAL, "") === stem && PLURAL.test(key));
      expect(present.map((key) => PLURAL.exec(key)?.[1]).sort(), stem).toEqual([...forms].sort());
    }
  });
});

test("every key in the code exists", () => {
  const known = new Map(
    files.map((file) => [file.replace(".json", ""), flatten(read("en", file)).map(([key]) => key)]),
  );
  const has = (namespace: string, key: string) =>
    known.get(namespace)?.some((name) => name === key || name.replace(PLURAL, "") === key) ?? false;
  const missing: string[] = [];
  const sources = readdirSync("web", { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  for (const source of sources) {
    const code = readFileSync(join("web", source), "utf8");
    // Each component of a file has its own t: the latest namespace counts.
    let namespace = "app";
    for (const [, asked, key = ""] of code.matchAll(/\buseTranslation\("([\w-]+)"\)|\bt\("([\w:.-]+)"/g)) {
      if (asked) {
        namespace = asked;
        continue;
      }
      const [first = "", second] = key.split(":");
      if (!(second ? has(first, second) : has(namespace, first))) missing.push(`${source}: ${key}`);
    }
  }
  expect(missing).toEqual([]);
});

test("the catalogue of errors has every code of the contract", () => {
  const codes = [
    "VALIDATION_FAILED NOT_AUTHENTICATED USER_NOT_AUTHORIZED FORBIDDEN USER_BANNED USER_NOT_CONFIRMED",
    "USER_NOT_VERIFIED NOT_FOUND USER_NOT_EXISTS METHOD_NOT_ALLOWED PAYLOAD_TOO_LARGE UNSUPPORTED_MEDIA_TYPE",
    "USER_EXISTS CONFLICT CHANGED_MEANWHILE RATE_LIMITED UNEXPECTED_ERROR USER_NOT_CREATED UPSTREAM_FAILED UNAVAILABLE BUDGET_REACHED STORAGE_REACHED",
  ]
    .join(" ")
    .split(" ");
  const catalogue = read("en", "errors.json");
  // Beside the codes: reasons for refused fields and calls, and the words for an outdated save.
  expect(Object.keys(catalogue).sort()).toEqual(
    [...codes, "changed", "notLoaded", "spent", "refusals"].sort(),
  );
  const titles = {
    UNEXPECTED_ERROR: "Oops! Something Went Wrong",
    USER_EXISTS: "User Already Registered",
    USER_NOT_CONFIRMED: "Account Not Confirmed",
    USER_NOT_CREATED: "Account Creation Failed",
    USER_BANNED: "Account Banned",
    USER_NOT_AUTHORIZED: "Incorrect Email or Password",
    USER_NOT_VERIFIED: "Account Not Verified",
    USER_NOT_EXISTS: "Account Not Found",
  };
  for (const [code, title] of Object.entries(titles)) expect(catalogue[code]).toMatchObject({ title });
});

test("the web's markup has no words for people: they come from locales/", () => {
  // Names, keys, and examples that are the same in every language: codes and URLs. Only Parley's developers see the gallery.
  const named = /^(Parley|Esc|⌘K|Ctrl K|[A-Z0-9, ]+|\S+@\S+|https?:\S+)$/;
  const found: string[] = [];
  for (const source of readdirSync("web", { recursive: true, encoding: "utf8" })) {
    if (!source.endsWith(".tsx") || /^(sdk|gallery|render\/document)/.test(source)) continue;
    // Text between tags on one line or several, and words in attributes that are read or shown.
    const code = readFileSync(join("web", source), "utf8").replaceAll(/(^|\s)\/\/.*$/gm, "");
    const between = code.matchAll(
      /<[a-zA-Z][\w.]*(?:\s[^<>{}]*)?>\s*([A-Za-zÀ-ÿ][^<>{}=;]*?)\s*<\/[a-zA-Z]/g,
    );
    const given = code.matchAll(
      /\s(?:title|aria-label|placeholder|alt|data-tooltip)="([^"]*[A-Za-z]{2}[^"]*)"/g,
    );
    for (const [, words = ""] of [...between, ...given])
      if (!named.test(words)) found.push(`${source}: ${words}`);
  }
  expect(found).toEqual([]);
});
