// A language that no installation has: shows that a new language needs one folder and one line. Irish has five plural forms.
import type { Language } from "../../../../locales/language.ts";
import mails from "./mails.json" with { type: "json" };
import problems from "./problems.json" with { type: "json" };
import slack from "./slack.json" with { type: "json" };
import taskMessages from "./taskMessages.json" with { type: "json" };

export const ga = {
  code: "ga",
  name: "Gaeilge",
  search: "irish",
  // Missing texts, names among them, fall back to English.
  messages: { answers: {}, errors: {}, mails, names: {}, problems, slack, taskMessages },
} as const satisfies Language;
