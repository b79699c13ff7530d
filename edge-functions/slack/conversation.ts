// Owns the answer to one Slack message: who may ask, which agent it is for, the reply, and every text sent in place of one.
import { env } from "../_shared/env.ts";
import { Interrupted } from "../_shared/queues/lease.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import { slackAnswerHits } from "../_shared/requests/usage-limits.ts";
import { titleFromQuestion } from "../v1/chats/texts.ts";
import type { Message } from "../v1/messages/schema.ts";
import { SlackRefusal } from "./api.ts";
import { askOnce, discardReply, replyOf } from "./asking.ts";
import {
  type Block,
  filesBlocks,
  personBlocks,
  ratingBlocks,
  searchBlocks,
  sourceBlocks,
  supportBlocks,
} from "./blocks.ts";
import { Delivery, isClosed } from "./delivery.ts";
import { mentions, plainText, type SlackMessage, withoutMention } from "./envelope.ts";
import { offersPerson } from "./handing-over.ts";
import type { Workspace } from "./installations.ts";
import { mayAsk, type Person, readPerson } from "./people.ts";
import type { Claim } from "./queue.ts";
import { showWaiting, showWorking } from "./session.ts";
import * as threads from "./threads.ts";
import { causeFor, type Words, wordsFor } from "./words.ts";

/** The same limit as for messages from the web. */
const longestQuestion = 20_000;

/**
 * @returns true when the reply itself is in Slack, false when another message is, undefined when the message is not for us
 * @throws SlackRefusal; SlackUnreachable; any error of Postgres. The queue decides what happens next.
 */
export async function answerMessage(
  claim: Claim,
  workspace: Workspace,
  message: SlackMessage,
): Promise<boolean | undefined> {
  const { channel, isDirect } = message;
  const talk = await findTalk(claim, workspace, message);
  if (!talk) return undefined;
  const { place, thread, teamId, person, words, delivery } = talk;
  const say = (text: string) => sayInstead(delivery, text);

  const apps = await threads.appsIn(workspace.id);
  const text = plainText(withoutMention(message.text, workspace.botUserId));
  const named = threads.namedApp(apps, text);
  const known = apps.find(({ id }) => id === thread?.appId);
  // A thread stays its team's, also without its app: another team's app is asked only by its name.
  const own = teamId === undefined ? apps : apps.filter((one) => one.teamId === teamId);
  const app = named?.app ?? known ?? threads.appFor(own, channel, isDirect);
  if (!app) return await say(own.length > 0 ? words.elsewhere : words.noAgent);
  if (!threads.answersIn(app, channel, isDirect)) return await say(words.elsewhere);
  if (person.kind === "unread") return await say(words.unread);
  if (!mayAsk(app.audience, person.kind)) return await say(words.notAllowed);
  const question = named ? named.question : text;
  if (question.length > longestQuestion) return await say(words.tooLong);
  if (question === "")
    return await say(message.hasFiles ? `${words.filesUnread} ${words.hello}` : app.greeting || words.hello);

  await showWorking(workspace, place, titleFromQuestion([{ role: "user", content: question }]), words);
  try {
    return await reply(
      { ...talk, claim, app, ts: message.ts, hasFiles: message.hasFiles === true },
      question,
    );
  } finally {
    await showWaiting(workspace, place);
  }
}

async function sayInstead(delivery: Delivery, text: string): Promise<false> {
  await delivery.finish(text, []);
  return false;
}

/**
 * Sends the last message after all attempts have failed: the reply if there is one, otherwise that it failed, or that Slack refuses it.
 * @returns true when the reply itself is in Slack
 * @throws as answerMessage(): then nothing can be sent
 */
export async function giveUp(claim: Claim, workspace: Workspace, message: SlackMessage): Promise<boolean> {
  const talk = await findTalk(claim, workspace, message);
  if (!talk) return false;
  const { thread, words, delivery } = talk;
  const made = thread && (await replyOf(claim, threads.claimsOfThread(thread), thread.chatId));
  if (!made) return await sayInstead(delivery, words.failed);
  try {
    await delivery.finish(endingOf(made, talk), []);
    return true;
  } catch (error) {
    if (isClosed(error) || !(error instanceof SlackRefusal)) throw error;
    return await sayInstead(delivery, words.refused);
  }
}

type Talk = {
  place: threads.Place;
  thread: threads.Thread | undefined;
  /** Whose the thread is, or was until its app was deleted; undefined for a new one. */
  teamId: string | undefined;
  person: Person;
  words: Words;
  delivery: Delivery;
};

/** Where to answer a message, and how far an earlier worker got. Undefined when the message is not for us. */
async function findTalk(
  claim: Claim,
  workspace: Workspace,
  message: SlackMessage,
): Promise<Talk | undefined> {
  const { channel, threadTs, user, ts } = message;
  if (user === workspace.botUserId) return undefined;
  const place = { workspaceId: workspace.id, channel, threadTs };
  const thread = await threads.findThread(place);
  // Read after the thread, which goes with its app in the transaction that notes the team.
  const askedTeam = thread?.teamId ?? (await claim.readAskedTeam());
  if (!isForUs(message, workspace.botUserId, askedTeam !== undefined)) return undefined;
  const teamId = askedTeam ?? (await threads.findFormerTeam(place));
  const person = await readPerson(workspace, user, claim.signal);
  if (person.kind === "nobody") return undefined;
  const delivery = new Delivery(claim, workspace, place, { userId: user, teamId: person.teamId }, ts);
  await delivery.resume();
  return { place, thread, teamId, person, words: wordsFor(person.locale), delivery };
}

/** True for a direct message, a mention, or a follow-up in our thread that does not mention somebody else. */
function isForUs({ text, isDirect }: SlackMessage, bot: string, isOurThread: boolean): boolean {
  if (isDirect || mentions(text, bot)) return true;
  return isOurThread && !/<@[A-Z0-9]+(\|[^<>]*)?>/.test(text);
}

type Asked = Talk & { claim: Claim; app: threads.ConnectedApp; ts: string; hasFiles: boolean };

async function reply(asked: Asked, question: string): Promise<boolean> {
  const { claim, delivery, place, app, person, words } = asked;
  const isContinued = asked.thread?.appId === app.id && asked.thread.agentId === app.agentId;
  const thread =
    isContinued && asked.thread
      ? asked.thread
      : await threads.beginThread(place, app, { user: person.id, ts: asked.ts });
  const hits = slackAnswerHits(place.workspaceId, person.id, app.teamId);
  const answer = await askOnce(claim, thread, threads.claimsOfThread(thread), question, hits).catch(
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "RATE_LIMITED") return words.tooMany;
      // The app or its agent was deleted meanwhile.
      if (error.code === "NOT_FOUND" || error.code === "FORBIDDEN") return words.noAgent;
      throw error;
    },
  );
  if (typeof answer === "string") return await sayInstead(delivery, answer);
  if ("done" in answer) return await finish(asked, thread, answer.done);
  for await (const event of answer.running.events) {
    if (claim.signal.aborted) break;
    if (event.type === "delta") delivery.push(event.data.text);
  }
  // The worker that holds the event now finds the reply and deletes it.
  if (claim.signal.aborted && !(claim.signal.reason instanceof Interrupted)) throw claim.signal.reason;
  const { reply: made, failure } = await answer.running.finished;
  if (claim.signal.aborted) {
    await discardReply(claim);
    throw claim.signal.reason;
  }
  // The app was disconnected, or bound to another agent, or deleted with its team, while it answered.
  if (failure?.code === "NOT_FOUND" || (failure && !(await isConnected(place, app))))
    return await sayInstead(delivery, words.noAgent);
  return await finish(asked, thread, made);
}

async function isConnected({ workspaceId }: threads.Place, { id }: threads.ConnectedApp): Promise<boolean> {
  return (await threads.appsIn(workspaceId)).some((app) => app.id === id);
}

async function finish(asked: Asked, thread: threads.Thread, made: Message): Promise<true> {
  const { delivery, app, words } = asked;
  const text = endingOf(made, asked);
  const addressOf = ({ sourceId, documentId, chunkId }: Message["citations"][number]) =>
    `${env().WEB_URL}/teams/${app.teamCodename}/source/${sourceId}/documents/${documentId}?chunk=${chunkId}`;
  if (made.status === "failed" && made.content === "") {
    await delivery.finish(text, []);
    return true;
  }
  const sources = [
    ...(asked.hasFiles ? filesBlocks(words) : []),
    ...supportBlocks(made.support, made.citations, words),
    ...sourceBlocks(made.citations, addressOf, words),
    ...searchBlocks(made.searchedFor, words),
  ];
  const person = (await offersPerson(thread)) ? personBlocks(made.id, words) : [];
  const ways: Block[][] = [
    [...sources, ...ratingBlocks(made.id, words), ...person],
    [...sources, ...ratingBlocks(made.id, words, true), ...person],
    sources,
  ];
  await delivery.finish(text, ways);
  return true;
}

function endingOf({ status, content, error }: Message, { words, person }: Talk): string {
  if (status !== "failed") return content === "" ? words.stopped : content;
  const cause = error && causeFor(person.locale, error.code);
  if (content === "") return cause ?? words.failed;
  return `${content}\n\n_${cause ? `${words.cut} ${cause}` : words.cutOff}_`;
}
