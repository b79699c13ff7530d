// Owns the words of an invitation's mail. Must not decide who gets one.
import { env } from "../../_shared/env.ts";
import type { Mail } from "../../_shared/mail.ts";

export type Invitation = {
  to: string;
  team: string;
  /** Null when a program invites. */
  inviter: string | null;
  hasAccount: boolean;
  language: "en" | "fr";
};

const words = {
  en: {
    subject: ({ team }: Invitation) => `You are invited to ${team}`,
    who: ({ team, inviter }: Invitation) =>
      inviter
        ? `${inviter} invites you to the team ${team} on Parley.`
        : `You are invited to the team ${team} on Parley.`,
    known: "Log in to accept or decline.",
    unknown: "Register with this e-mail address; the invitation waits for you there.",
    accept: "See the invitation",
    register: "Register",
    note: "If you did not expect this, do nothing: nobody joins a team without saying yes.",
  },
  fr: {
    subject: ({ team }: Invitation) => `Vous êtes invité dans ${team}`,
    who: ({ team, inviter }: Invitation) =>
      inviter
        ? `${inviter} vous invite dans l’équipe ${team} sur Parley.`
        : `Vous êtes invité dans l’équipe ${team} sur Parley.`,
    known: "Connectez-vous pour accepter ou refuser.",
    unknown: "Inscrivez-vous avec cette adresse e-mail ; l’invitation vous y attend.",
    accept: "Voir l’invitation",
    register: "S’inscrire",
    note: "Si vous n’attendiez rien, ne faites rien : personne n’entre dans une équipe sans l’avoir accepté.",
  },
};

export function invitationMail(invitation: Invitation): Mail {
  const text = words[invitation.language];
  const web = new URL(env().WEB_URL);
  const url = new URL(invitation.hasAccount ? "/teams" : "/register", web);
  if (!invitation.hasAccount) url.searchParams.set("email", invitation.to);
  return {
    to: invitation.to,
    language: invitation.language,
    subject: text.subject(invitation),
    paragraphs: [text.who(invitation), invitation.hasAccount ? text.known : text.unknown],
    action: { label: invitation.hasAccount ? text.accept : text.register, url: url.href },
    note: text.note,
  };
}
