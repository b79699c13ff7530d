// Owns what Slack shows around a reply in progress: the working status with Slack's own stop button, the thread's title, and
// suggested prompts. A failure here never fails the reply.
import { log } from "../_shared/operation/log.ts";
import { SlackRefusal } from "./api.ts";
import { isDeadToken, type Workspace } from "./installations.ts";
import type { ConnectedApp, Place } from "./threads.ts";
import type { Words } from "./words.ts";

/** Slack allows four. */
const mostPrompts = 4;
const longestTitle = 200;

/** Shows that the agent is working, and the thread's title. */
export async function showWorking(
  workspace: Workspace,
  place: Place,
  title: string,
  words: Words,
): Promise<void> {
  const { channel, threadTs } = place;
  const thread = { channel_id: channel, thread_ts: threadTs };
  const known = await trySlack(() =>
    workspace.call("agents.sessions.setStatus", {
      ...thread,
      status: "processing",
      title: title.slice(0, longestTitle),
    }),
  );
  if (known) return;
  // For an app not declared as an agent, or a workspace with the older assistants.
  await trySlack(() => workspace.call("assistant.threads.setStatus", { ...thread, status: words.thinking }));
  if (channel.startsWith("D")) {
    await trySlack(() =>
      workspace.call("assistant.threads.setTitle", { ...thread, title: title.slice(0, longestTitle) }),
    );
  }
}

/** Shows that the agent waits for the next question. The older status clears itself with the reply. */
export async function showWaiting(workspace: Workspace, { channel, threadTs }: Place): Promise<void> {
  const args = { channel_id: channel, thread_ts: threadTs, status: "active" };
  await trySlack(() => workspace.call("agents.sessions.setStatus", args));
}

/** Shows the agent's suggested prompts. @param threadTs null to show them above the whole conversation */
export async function showPrompts(
  workspace: Workspace,
  channel: string,
  threadTs: string | null,
  app: ConnectedApp,
  words: Words,
): Promise<void> {
  const prompts = app.suggestedPrompts
    .slice(0, mostPrompts)
    .map((prompt) => ({ title: prompt.slice(0, 75), message: prompt }));
  if (prompts.length === 0) return;
  await trySlack(() =>
    workspace.call("assistant.threads.setSuggestedPrompts", {
      channel_id: channel,
      thread_ts: threadTs ?? undefined,
      title: app.greeting.slice(0, 100) || words.prompts,
      prompts,
    }),
  );
}

async function trySlack(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isDeadToken(error)) throw error;
    if (!(error instanceof SlackRefusal))
      log("warn", "Slack did not take a status", { error: String(error) });
    return false;
  }
}
