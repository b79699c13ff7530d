// Owns the set-up of a file whose tests talk to an agent in Slack: each has the function running and an app connected, and finds no earlier
// message. Importing it sets them up for the file.
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { DenoFunction } from "./deno-function.ts";
import { eventually } from "./eventually.ts";
import { type SlackStand, startSlackStand, workspace } from "./slack-stand.ts";

export let stand: SlackStand;
/** The running function. */
export let one: DenoFunction;
/** The connected app. */
export let app: string;

beforeAll(async () => {
  stand = await startSlackStand();
  one = await stand.spawn();
});
beforeEach(async () => {
  if (one.process.exitCode !== null || one.process.signalCode !== null) one = await stand.spawn();
  stand.openai.reply = "The sky is blue.";
  stand.openai.requests.length = 0;
  stand.slack.tokens.expiresIn = 43_200;
  app = await stand.addApp();
  await stand.install(one, app);
});
afterEach(async () => {
  stand.slack.clear();
  const { sql } = stand;
  await sql`delete from public.apps`;
  await sql`delete from public.chats`;
  await sql`delete from private.slack_events`;
  await sql`delete from private.rate_limits`;
});
afterAll(() => stand.stop());

/** Ends the function, sends what Slack held back, and starts another. */
export async function replaceFunction(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  await one.end(signal);
  stand.slack.release();
  one = await stand.spawn();
}

/** The mention of the agent. */
export const bot = () => `<@${stand.slack.tokens.botOf(workspace)}>`;
export const inChannel = (more = {}) => ({ channel: "C1", channel_type: "channel", ...more });
export const messagesIn = (thread: string) => stand.slack.conversations.inThread(thread);
export const texts = (thread: string) => messagesIn(thread).map(({ text }) => text);
export const settle = () => stand.settle(one);

/** Waits for a moment in the work. The schedule runs beside it: it begins again what a busy database put off. */
export async function waitUntil(isReached: () => boolean): Promise<void> {
  // A tick that fails is followed by the next one.
  const schedule = setInterval(() => stand.tick(one).catch(() => {}), 5_000);
  try {
    await eventually(() => expect(isReached()).toBe(true));
  } finally {
    clearInterval(schedule);
  }
}
