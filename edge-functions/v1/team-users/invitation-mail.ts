// Owns the invitation mail. Must not decide who receives one.
import type { LanguageCode } from "../../../locales/registry.ts";
import { sayIn } from "../../../locales/say.ts";
import { env } from "../../_shared/env.ts";
import { disarm } from "../../_shared/mail/disarm.ts";
import type { Mail } from "../../_shared/mail/mail.ts";

export type Invitation = {
  to: string;
  team: string;
  /** Null when an API key invites. */
  inviter: string | null;
  hasAccount: boolean;
  language: LanguageCode;
};

export function invitationMail(invitation: Invitation): Mail {
  const { to, hasAccount, language } = invitation;
  // Whoever registers chooses both names, and the mail goes to anybody.
  const team = disarm(invitation.team);
  const inviter = invitation.inviter && disarm(invitation.inviter);
  const say = sayIn(language);
  const web = new URL(env().WEB_URL);
  const url = new URL(hasAccount ? "/teams" : "/register", web);
  url.searchParams.set("email", to);
  return {
    to,
    language,
    subject: say("mails:invitation.subject", { team }),
    paragraphs: [
      inviter
        ? say("mails:invitation.invitedBy", { inviter, team })
        : say("mails:invitation.invited", { team }),
      say(hasAccount ? "mails:invitation.known" : "mails:invitation.unknown"),
    ],
    action: {
      label: say(hasAccount ? "mails:invitation.accept" : "mails:invitation.register"),
      url: url.href,
    },
    note: say("mails:invitation.note"),
  };
}
