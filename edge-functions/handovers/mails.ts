// Owns the mails of a handover: the request to the team, and the answer, or that none comes, to the person who asked. Must not decide who
// receives one. A visitor's words are included as plain text.
import type { LanguageCode } from "../../locales/registry.ts";
import { sayIn } from "../../locales/say.ts";
import { env } from "../_shared/env.ts";
import { disarm } from "../_shared/mail/disarm.ts";
import type { Mail } from "../_shared/mail/mail.ts";
import { markdownText } from "../_shared/mail/markdown.ts";
import type { HandoverNotice } from "./notice.ts";

/** Mail to a member who is notified of the team's handovers. */
export function requestMail(to: string, language: LanguageCode, notice: HandoverNotice): Mail {
  const say = sayIn(language);
  const { handover } = notice;
  const agent = disarm(notice.agent.name);
  return {
    to,
    language,
    subject: say("mails:handover.subject", { agent }),
    paragraphs: [
      say(`mails:handover.reasons.${handover.reason}`, { agent }),
      ...(handover.message ? [`${say("mails:handover.message")}\n${disarm(handover.message)}`] : []),
      ...(handover.summary ? [`${say("mails:handover.summary")}\n${disarm(handover.summary)}`] : []),
    ],
    action: { label: say("mails:handover.open"), url: notice.url },
    note: say("mails:handover.note"),
  };
}

/**
 * Mail to the person who asked: the answer, or that the team closed the request without one. The link contains no token: it opens the chat
 * only for that person, so a mistyped address reveals nothing.
 */
export function answerMail(
  to: string,
  language: LanguageCode,
  notice: HandoverNotice,
  answer?: { author: string; content: string },
): Mail {
  const say = sayIn(language);
  const [team, agent] = [disarm(notice.team.name), disarm(notice.agent.name)];
  // The widget's chats are on other sites, and chats through the API have no page.
  const hasPage = notice.chat.channel === "web";
  // Whoever only typed the address may have typed anybody's, and a link in our mail would lure them wherever the team likes.
  const isOwnAddress = notice.account?.email.toLowerCase() === to.toLowerCase();
  return {
    to,
    language,
    subject: say(answer ? "mails:answer.subject" : "mails:answer.closedSubject", { team }),
    paragraphs: answer
      ? [
          say("mails:answer.answered", { author: disarm(answer.author), team, agent }),
          isOwnAddress ? { markdown: answer.content } : disarm(markdownText(answer.content)),
        ]
      : [say("mails:answer.closed", { team, agent })],
    ...(hasPage ? { action: { label: say("mails:answer.back"), url: chatUrl(notice.chat.id) } } : {}),
    note: say(hasPage ? "mails:answer.note" : "mails:answer.noteWithoutLink"),
  };
}

const chatUrl = (chatId: string): string => new URL(`/chats/${chatId}`, env().WEB_URL).href;
