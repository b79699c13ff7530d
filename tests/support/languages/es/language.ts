// A language that no installation has, to see that one folder and one line are all that documents in it take.
import type { Language } from "../../../../locales/language.ts";
import answers from "./answers.json" with { type: "json" };
import { reading } from "./reading/reading.ts";

export const es = {
  code: "es",
  name: "Español",
  search: "spanish",
  reading,
  // What it has no words for is said in English.
  messages: { answers, mails: {}, names: {}, problems: {}, slack: {}, taskMessages: {} },
} as const satisfies Language;
