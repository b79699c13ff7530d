// Owns the mails about a change of address. Must not decide who receives one.
import type { LanguageCode } from "../../../locales/registry.ts";
import { sayIn } from "../../../locales/say.ts";
import { env } from "../../_shared/env.ts";
import type { Mail } from "../../_shared/mail/mail.ts";

type Change = { currentEmail: string; newEmail: string; language: LanguageCode };

/** To the account's current address. */
export function currentAddressMail({
  code,
  currentEmail,
  newEmail,
  language,
}: Change & { code: string }): Mail {
  const say = sayIn(language);
  return {
    to: currentEmail,
    language,
    subject: say("mails:addressChange.subject"),
    paragraphs: [
      say("mails:addressChange.asked", { currentEmail, newEmail }),
      say("mails:addressChange.agreeAsCurrent"),
    ],
    action: { label: say("mails:addressChange.agree"), url: linkOf(code) },
    note: say("mails:addressChange.noteOfCurrent"),
  };
}

/** To the account's new address. */
export function newAddressMail({ code, currentEmail, newEmail, language }: Change & { code: string }): Mail {
  const say = sayIn(language);
  return {
    to: newEmail,
    language,
    subject: say("mails:addressChange.subject"),
    paragraphs: [
      say("mails:addressChange.asked", { currentEmail, newEmail }),
      say("mails:addressChange.agreeAsNew"),
    ],
    action: { label: say("mails:addressChange.agree"), url: linkOf(code) },
    note: say("mails:addressChange.noteOfNew"),
  };
}

/** To the new address, if it belongs to another account. */
export function addressInUseMail({ newEmail, language }: Pick<Change, "newEmail" | "language">): Mail {
  const say = sayIn(language);
  return {
    to: newEmail,
    language,
    subject: say("mails:addressChange.inUseSubject"),
    paragraphs: [say("mails:addressChange.inUse", { newEmail })],
    note: say("mails:addressChange.inUseNote"),
  };
}

/** To the account's former address. */
export function addressChangedMail({ currentEmail, newEmail, language }: Change): Mail {
  const say = sayIn(language);
  return {
    to: currentEmail,
    language,
    subject: say("mails:addressChange.changedSubject"),
    paragraphs: [say("mails:addressChange.changed", { newEmail })],
    note: say("mails:addressChange.changedNote", { supportEmail: env().SUPPORT_EMAIL }),
  };
}

function linkOf(code: string): string {
  const url = new URL("/confirm-email", env().WEB_URL);
  url.searchParams.set("code", code);
  return url.href;
}
