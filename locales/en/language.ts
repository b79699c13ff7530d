// Owns the declaration of English: its entry in the lists of languages, and the files of messages that the API uses.
import type { Language } from "../language.ts";
import answers from "./answers.json" with { type: "json" };
import errors from "./errors.json" with { type: "json" };
import mails from "./mails.json" with { type: "json" };
import names from "./names.json" with { type: "json" };
import problems from "./problems.json" with { type: "json" };
import { reading } from "./reading/reading.ts";
import slack from "./slack.json" with { type: "json" };
import taskMessages from "./taskMessages.json" with { type: "json" };

export const en = {
  code: "en",
  name: "English",
  search: "english",
  reading,
  messages: { answers, errors, mails, names, problems, slack, taskMessages },
} as const satisfies Language;
