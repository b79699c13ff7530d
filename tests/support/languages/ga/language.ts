// A language that no installation has, to see that one folder and one line are all that it takes. Irish has five plural forms.
import type { Language } from "../../../../locales/language.ts";
import mails from "./mails.json" with { type: "json" };
import problems from "./problems.json" with { type: "json" };
import slack from "./slack.json" with { type: "json" };
import taskMessages from "./taskMessages.json" with { type: "json" };

export const ga = {
  code: "ga",
  name: "Gaeilge",
  search: "irish",
  // What it has no words for, names among it, is said in English.
  messages: { answers: {}, mails, names: {}, problems, slack, taskMessages },
} as const satisfies Language;
