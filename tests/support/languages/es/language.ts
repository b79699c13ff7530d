// A language that no installation has: shows that documents in a new language need one folder and one line.
import type { Language } from "../../../../locales/language.ts";
import answers from "./answers.json" with { type: "json" };
import { reading } from "./reading/reading.ts";

export const es = {
  code: "es",
  name: "Español",
  search: "spanish",
  reading,
  // Missing texts fall back to English.
  messages: { answers, errors: {}, mails: {}, names: {}, problems: {}, slack: {}, taskMessages: {} },
} as const satisfies Language;
