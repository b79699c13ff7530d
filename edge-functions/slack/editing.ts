// Owns edits of questions: one that waits is asked as edited; the author of one that was asked is told. Does not answer again.
import { inBackground } from "../v1/background.ts";
import type { Edit } from "./envelope.ts";
import { openWorkspace } from "./installations.ts";
import { readPerson } from "./people.ts";
import { editMessage } from "./queue.ts";
import { wordsFor } from "./words.ts";

const patienceMs = 30_000;

/** Idempotent but for the note, which only the author sees. */
export async function takeEdit(edit: Edit): Promise<void> {
  if (await editMessage(edit)) inBackground(tellAuthor(edit), "a note about an edited question");
}

async function tellAuthor({ workspaceId, channel, threadTs, user }: Edit): Promise<void> {
  const workspace = await openWorkspace(workspaceId);
  if (!workspace) return;
  const signal = AbortSignal.timeout(patienceMs);
  const { locale } = await readPerson(workspace, user, signal);
  const note = { channel, user, thread_ts: threadTs, text: wordsFor(locale).edited };
  await workspace.call("chat.postEphemeral", note, signal);
}
