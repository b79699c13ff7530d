// Owns the mail that warns a team's owners about their model budget. Must not decide who receives one.
import type { LanguageCode } from "../../../locales/registry.ts";
import { sayIn } from "../../../locales/say.ts";
import { env } from "../env.ts";
import { disarm } from "./disarm.ts";
import type { Mail } from "./mail.ts";

export type BudgetWarning = {
  to: string;
  language: LanguageCode;
  teamName: string;
  codename: string;
  /** US dollars, this month. */
  spent: number;
  cap: number;
};

export function budgetMail(warning: BudgetWarning): Mail {
  const { to, language, teamName, codename, spent, cap } = warning;
  const say = sayIn(language);
  const money = new Intl.NumberFormat(language, { style: "currency", currency: "USD" });
  return {
    to,
    language,
    subject: say("mails:budget.subject", { team: disarm(teamName) }),
    paragraphs: [
      say("mails:budget.spent", { spent: money.format(spent), cap: money.format(cap) }),
      say("mails:budget.next"),
    ],
    action: { label: say("mails:budget.see"), url: new URL(`/teams/${codename}/models`, env().WEB_URL).href },
  };
}
