// Words of errors: every API code has its own in both languages, and the page never shows the API's English.
import { z } from "@hono/zod-openapi";
import { beforeAll, expect, test, vi } from "vitest";
import { invalidFields } from "../../edge-functions/_shared/requests/invalid-fields.ts";
import { refusal, refusalCodes } from "../../edge-functions/_shared/requests/refusals.ts";
import { line } from "../../edge-functions/v1/router.ts";
import en from "../../locales/en/errors.json" with { type: "json" };
import fr from "../../locales/fr/errors.json" with { type: "json" };
import { failureOf } from "../../web/client/call-api.ts";
import { failureWords, isChangedMeanwhile, refusalWords } from "../../web/client/failure-words.ts";
import { say, sayIn, type WordKey } from "../support/words.ts";

let words: (schema: z.ZodType, value: unknown, language: "en" | "fr") => string;
let translate: (language: "en" | "fr") => (key: string, values: Record<string, unknown>) => string;

beforeAll(async () => {
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  const { i18nFor } = await import("../../web/request/i18n.ts");
  translate = (language) => i18nFor(language).t;
  words = (schema, value, language) => {
    const [detail] = invalidFields(schema.safeParse(value).error?.issues ?? [], value);
    return detail ? refusalWords(detail, translate(language)) : "";
  };
});

test("a proxy's own page says that the service is away; the API's answer keeps its code", () => {
  const noHeader = () => null;
  const codes = [502, 503, 504, 500].map((status) => failureOf(status, null, noHeader).code);
  expect(codes).toEqual(["UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE", "UNEXPECTED_ERROR"]);
  expect(failureOf(502, { code: "UPSTREAM_FAILED" }, noHeader).code).toBe("UPSTREAM_FAILED");
});

test("a body of very many wrong fields gets the first hundred details", () => {
  const numbers = Array.from({ length: 2_000 }, (_, at) => at);
  const schema = z.strictObject({ list: z.array(z.string()) });
  const body = { list: numbers, ...Object.fromEntries(numbers.map((at) => [`k${at}`, at])) };
  const details = invalidFields(schema.safeParse(body).error?.issues ?? [], body);
  expect(details).toHaveLength(100);
  expect(details[0]?.path).toBe("list.0");
  const unknown = invalidFields(schema.safeParse({ ...body, list: [] }).error?.issues ?? [], body);
  expect(unknown.map(({ path }) => path)).toEqual(numbers.slice(0, 100).map((at) => `k${at}`));
});

const gaps = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

test("both languages have words for exactly the API's codes, with the same placeholders", () => {
  for (const { refusals } of [en, fr] as { refusals: Record<string, string> }[]) {
    expect(Object.keys(refusals).sort()).toEqual([...refusalCodes].sort());
    for (const code of refusalCodes) {
      const given = { limit: "3", used: "7", name: "a.pdf", expected: "string", model: "a-model" };
      const used = gaps(refusals[code] ?? "");
      const sent = Object.keys(given).filter((name) =>
        refusal(code, given).message.includes(given[name as "name"]),
      );
      expect([code, used.filter((name) => !sent.includes(name ?? ""))]).toEqual([code, []]);
    }
  }
});

test.each<[z.ZodType, unknown, WordKey, Record<string, number>?]>([
  [z.string(), undefined, "errors:refusals.required"],
  [z.string().min(1), "", "errors:refusals.required"],
  [z.string().min(8), "abc", "errors:refusals.tooShort", { limit: 8 }],
  [z.string().max(3), "abcd", "errors:refusals.tooLong", { limit: 3 }],
  [z.number().min(1), 0, "errors:refusals.tooSmall", { limit: 1 }],
  [z.int().max(2), 3, "errors:refusals.tooBig", { limit: 2 }],
  [z.array(z.string()).max(1), ["a", "b"], "errors:refusals.tooMany", { limit: 1 }],
  [z.enum(["a", "b"]), "c", "errors:refusals.option"],
  [z.url(), "no", "errors:refusals.url"],
  [z.string().refine(() => false, "No Tuesdays."), "x", "errors:refusals.invalid"],
])("%#", (schema, value, key, limits) => {
  expect(words(schema, value, "en")).toBe(say(key, limits));
  expect(words(schema, value, "fr")).toBe(sayIn("fr")(key, limits));
});

test("a field of another type is not called missing", () => {
  const schema = z.object({ a: z.object({ b: z.string() }) });
  const value = { a: { b: 3 } };
  expect(invalidFields(schema.safeParse(value).error?.issues ?? [], value)).toMatchObject([
    { path: "a.b", code: "type", params: { expected: "string" } },
  ]);
});

test("only an empty field is called missing", () => {
  for (const value of ["", "  "])
    expect(invalidFields(line(10).safeParse(value).error?.issues ?? [], value)).toMatchObject([
      { code: "required" },
    ]);
  expect(invalidFields(line(10).safeParse("\u200b").error?.issues ?? [], "\u200b")).toMatchObject([
    { code: "characters" },
  ]);
});

test("a refused call is described by its code; an unknown code generally, with a link to support", () => {
  const about = { supportEmail: "help@parley.test", language: "fr" };
  const joined = { code: "CONFLICT", message: "x", details: [{ path: "", ...refusal("joined") }] };
  expect(failureWords(joined, translate("fr"), about).description).toBe(fr.refusals.joined);
  const odd = failureWords({ code: "INTERNAL", message: "Boom.", details: [] }, translate("fr"), about);
  expect(odd.title).toBe(fr.UNEXPECTED_ERROR.title);
  expect(odd.description).toContain("help@parley.test");
  expect(odd.description).not.toContain("Boom.");
});

test("a link that was used or truncated says that it is not valid", () => {
  for (const why of [refusal("codeSpent"), refusal("tooShort", { limit: "20" })]) {
    const failure = { code: "VALIDATION_FAILED", message: "x", details: [{ path: "code", ...why }] };
    expect(failureWords(failure, translate("fr"), { supportEmail: "", language: "fr" })).toEqual({
      title: fr.spent.title,
      description: fr.refusals.codeSpent,
    });
  }
});

test("an outdated save says so, in its form's words only", () => {
  const why = refusal("changedMeanwhile", { version: "abc" });
  const failure = { code: "CHANGED_MEANWHILE", message: "x", details: [{ path: "version", ...why }] };
  const said = failureWords(failure, translate("fr"), { supportEmail: "", language: "fr" });
  expect(said.description).toBe(fr.refusals.changedMeanwhile);
  expect(isChangedMeanwhile(failure)).toBe(true);
  expect(isChangedMeanwhile({ details: [{ path: "", ...refusal("taken") }] })).toBe(false);
});
