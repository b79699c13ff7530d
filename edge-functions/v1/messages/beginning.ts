// Owns storing a question, for every channel that stores chats: one transaction under a lock on the chat, so that of two concurrent
// questions one wins and the other changes nothing. Row-level security decides who may ask; the reply is opened as the service, because
// only the service may write an agent's messages. Does not generate the reply.

import { askThenServe, type Claims, type Transaction } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import {
  fullLimitOf,
  type Hit,
  type HitsOfPayer,
  hitsOfPayer,
  payerArguments,
} from "../../_shared/requests/limits.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import type { Payer } from "../../_shared/requests/usage-limits.ts";
import type { AnsweringAgent } from "../../answering/agent.ts";
import type { Turn } from "../../answering/prompt.ts";
import { replyLeaseSeconds } from "../../answering/reply-lease.ts";
import { titleFromQuestion } from "../chats/texts.ts";
import { requireRow } from "../router.ts";
import type { Message } from "./schema.ts";

export type Asked =
  | { content: string; replaces?: string }
  /** A stored question whose reply was never completed. The partial reply is discarded. */
  | { questionId: string };

export type Beginning = {
  agent: AnsweringAgent;
  /** The chat's channel. */
  channel: string;
  question: Message;
  reply: Message;
  /** The messages before the question, oldest first. */
  history: Turn[];
};

/** The chat of a question, and whether the caller belongs to the agent's team. */
export type AskedChat = Payer & { agentId: string; channel: string };

export type Alongside = {
  /** Runs as the caller, with the chat locked. Refuses by throwing. */
  check?: (tx: Transaction, chat: AskedChat) => Promise<void>;
  /** The hits of the question, for the team that pays. */
  hits?: (payer: Payer) => Hit[];
  /** Runs last, as the service: committed with the question or not at all. */
  keep?: (tx: Transaction, begun: { questionId: string; replyId: string }) => Promise<void>;
};

/**
 * Stores a question, optionally replacing an earlier one, and opens its reply.
 * @throws ApiError NOT_FOUND or FORBIDDEN for a chat that the caller may not write in; CONFLICT while a reply is being written, or for a
 *   question that was already asked again; RATE_LIMITED. Nothing is changed then.
 */
export async function beginQuestion(
  claims: Claims,
  chatId: string,
  asked: Asked,
  { check, hits = () => [], keep }: Alongside,
): Promise<Beginning> {
  const counted = hitsOfPayer(hits);
  const replaces = "content" in asked ? asked.replaces : undefined;
  const checkMore = async (tx: Transaction, row: Added | undefined) => {
    if ("content" in asked && replaces) await renameChat(tx, chatId, asked.content, replaces);
    await check?.(tx, requireRow(row));
  };
  try {
    const rows = await askThenServe<Added, Opened>(claims, {
      ask: (tx) => addQuestion(tx, chatId, asked),
      serve: (tx) => openReply(tx, chatId, asked, counted),
      check: check || replaces ? checkMore : undefined,
      keep:
        keep &&
        ((tx, question, reply) =>
          keep(tx, { questionId: requireRow(question).id, replyId: requireRow(reply).id })),
    });
    const [added, opened] = [requireRow(rows[0]), requireRow(rows[1])];
    return {
      agent: opened.agent,
      channel: added.channel,
      question: messageOf(chatId, added, { role: "user", content: added.content, status: "complete" }),
      reply: messageOf(chatId, opened, { role: "assistant", content: "", status: "streaming" }),
      history: opened.history,
    };
  } catch (error) {
    throw refusalOf(error) ?? fullLimitOf(counted, error) ?? error;
  }
}

type Stored = { id: string; createdAt: string; updatedAt: string };
type Added = Stored & AskedChat & { content: string };

/** Runs as the caller. Fails for a chat or a stored question that they cannot see. */
function addQuestion(tx: Transaction, chatId: string, asked: Asked) {
  const isNew = "content" in asked;
  const title = isNew ? titleOf(asked.content) : null;
  return tx<Added[]>`
    select * from private.add_question(
      ${chatId}, ${isNew ? asked.content : null}, ${title}, ${isNew ? null : asked.questionId})`;
}

/** Renames a chat whose title was derived from the replaced question. Runs as the caller. */
async function renameChat(tx: Transaction, chatId: string, content: string, replaced: string) {
  const [row] = await tx<{ title: string; content: string }[]>`
    select c.title, m.content from public.chats c
      join public.messages m on m.chat_id = c.id and m.id = ${replaced} and m.role = 'user'
     where c.id = ${chatId}`;
  if (!row || row.title !== titleOf(row.content)) return;
  await tx`update public.chats set title = ${titleOf(content)} where id = ${chatId}`;
}

const titleOf = (content: string): string => titleFromQuestion([{ role: "user", content }]);

type Opened = Stored & { history: Turn[]; agent: AnsweringAgent };

/** Runs as the service. Safe, because the caller has just written in the chat, and only they write questions there. */
function openReply(tx: Transaction, chatId: string, asked: Asked, counted: HitsOfPayer) {
  const replaced = ("content" in asked && asked.replaces) || null;
  return tx<Opened[]>`
    select * from private.open_reply(
      ${chatId}, ${replaced}, ${"questionId" in asked}, ${replyLeaseSeconds}, ${payerArguments(tx, counted)})`;
}

const refusals = {
  notAQuestion: () => new ApiError("CONFLICT", "Only a question can be asked again."),
  askedAgain: () => new ApiError("CONFLICT", refusal("askedAgain")),
  answering: () => new ApiError("CONFLICT", refusal("stillAnswering")),
};

/** The refusal that private.open_reply() raised, with its words. */
function refusalOf(error: unknown): ApiError | undefined {
  if (!(error instanceof Error && "hint" in error)) return undefined;
  const found = Object.entries(refusals).find(([hint]) => hint === error.hint);
  return found?.[1]();
}

function messageOf(
  chatId: string,
  { id, createdAt, updatedAt }: Stored,
  said: Pick<Message, "role" | "content" | "status">,
): Message {
  return {
    id,
    chatId,
    ...said,
    citations: [],
    feedback: null,
    usage: null,
    searchedFor: null,
    support: null,
    author: null,
    suggestions: [],
    createdAt,
    updatedAt,
  };
}
