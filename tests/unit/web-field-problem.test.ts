// The words at a refused field: the validator's real messages, in both languages, with their limits.
import { beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";

let words: (schema: z.ZodType, value: unknown, language: "en" | "fr") => string;

beforeAll(async () => {
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  const { fieldProblem } = await import("../../web/server/field-problem.ts");
  const { i18nFor } = await import("../../web/server/i18n.ts");
  words = (schema, value, language) =>
    fieldProblem(schema.safeParse(value).error?.issues[0]?.message ?? "", i18nFor(language).t, language);
});

test.each<[z.ZodType, unknown, string, string]>([
  [z.string(), undefined, "Fill this in.", "Remplissez ce champ."],
  [z.string().min(1), "", "Fill this in.", "Remplissez ce champ."],
  [z.string().min(8), "abc", "Use at least 8 characters.", "Utilisez au moins 8 caractères."],
  [z.string().max(3), "abcd", "Use at most 3 characters.", "Utilisez au plus 3 caractères."],
  [z.number().min(1), 0, "Choose 1 or more.", "Choisissez 1 ou plus."],
  [z.number().max(2), 3, "Choose 2 or less.", "Choisissez 2 ou moins."],
  [z.array(z.string()).max(1), ["a", "b"], "Choose at most 1.", "Choisissez-en au plus 1."],
  [z.enum(["a", "b"]), "c", "Choose one of the options.", "Choisissez l’une des options."],
  [
    z.url(),
    "no",
    "Enter a whole address, such as https://example.com.",
    "Saisissez une adresse complète, par exemple https://exemple.fr.",
  ],
])("%#", (schema, value, english, french) => {
  expect(words(schema, value, "en")).toBe(english);
  expect(words(schema, value, "fr")).toBe(french);
});

test("what is not known is said as the API says it, or in general", () => {
  const odd = z.string().refine(() => false, "No Tuesdays.");
  expect(words(odd, "x", "en")).toBe("No Tuesdays.");
  expect(words(odd, "x", "fr")).toBe("Cette valeur ne peut pas être acceptée.");
});
