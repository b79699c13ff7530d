// Owns the two mails of a handover: to the team that somebody asks for a person, and to that somebody the answer.
// Must not decide who gets one. What a visitor wrote stands in them as plain text.
import type { LanguageCode } from "../../locales/registry.ts";
import { sayIn } from "../../locales/say.ts";
import { env } from "../_shared/env.ts";
import type { Mail } from "../_shared/mail/mail.ts";
import type { ToldHandover } from "./told.ts";

/** To one who is told of the team's handovers. */
export function askedMail(to: string, language: LanguageCode, told: ToldHandover): Mail {
  const say = sayIn(language);
  const { handover, agent } = told;
  return {
    to,
    language,
    subject: say("mails:handover.subject", { agent: agent.name }),
    paragraphs: [
      say(`mails:handover.reasons.${handover.reason}`, { agent: agent.name }),
      ...(handover.message ? [`${say("mails:handover.message")}\n${handover.message}`] : []),
      ...(handover.summary ? [`${say("mails:handover.summary")}\n${handover.summary}`] : []),
    ],
    action: { label: say("mails:handover.open"), url: told.url },
    note: say("mails:handover.note"),
  };
}

/**
 * To the person who asked. The link holds no token: it opens the chat only where the reader is its person already, so that a
 * mistyped address opens nothing.
 */
export function answerMail(
  to: string,
  language: LanguageCode,
  told: ToldHandover,
  answer: { author: string; content: string },
): Mail {
  const say = sayIn(language);
  // The widget's chats are on other sites, and a program's are nowhere.
  const hasPage = told.chat.channel === "web";
  return {
    to,
    language,
    subject: say("mails:answer.subject", { team: told.team.name }),
    paragraphs: [
      say("mails:answer.answered", { author: answer.author, team: told.team.name, agent: told.agent.name }),
      { markdown: answer.content },
    ],
    ...(hasPage ? { action: { label: say("mails:answer.back"), url: chatUrl(told.chat.id) } } : {}),
    note: say(hasPage ? "mails:answer.note" : "mails:answer.noteWithoutLink"),
  };
}

const chatUrl = (chatId: string): string => new URL(`/chats/${chatId}`, env().WEB_URL).href;
