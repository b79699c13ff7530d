// Owns saving the growing replies of this process: one statement saves all that are due, so that many replies cost the database little more
// than one. Does not end a reply.
import { log } from "../../_shared/operation/log.ts";
import { replyLeaseSeconds } from "../../answering/reply-lease.ts";
import { saveReplies } from "./reply-store.ts";

/** Interval of the check for due replies, and delay before a reply's first save. */
const lookEveryMs = 300;
/** Interval between two saves of one reply, and between two checks whether a silent one must stop. */
const saveEveryMs = 1_000;
const keepAliveMs = (replyLeaseSeconds * 1000) / 4;

export type SavedReply = {
  id: string;
  draft: { content: string };
  /** Called on a stop request, or when the reply was given up or deleted. */
  stop: (why: "stop" | "lost") => void;
};

type Growing = SavedReply & { saved: string; writtenAt: number; askedAt: number };

const growing = new Map<string, Growing>();
let timer: ReturnType<typeof setInterval> | undefined;
let isSaving = false;

/** Saves a reply from now on. @returns a function that ends this */
export function keepSaved(reply: SavedReply): () => void {
  const now = performance.now();
  growing.set(reply.id, { ...reply, saved: "", writtenAt: now, askedAt: now });
  timer ??= setInterval(() => void save(), lookEveryMs);
  return () => {
    growing.delete(reply.id);
    if (growing.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

async function save(): Promise<void> {
  if (isSaving) return;
  const now = performance.now();
  const all = [...growing.values()];
  const changed = all
    .filter((reply) => mustWrite(reply, now))
    .map((reply) => ({ reply, content: reply.draft.content }));
  const silent = all.filter((reply) => !mustWrite(reply, now) && now - reply.askedAt >= saveEveryMs);
  if (changed.length + silent.length === 0) return;
  isSaving = true;
  try {
    const rows = await saveReplies(
      changed.map(({ reply, content }) => ({ id: reply.id, content })),
      silent.map(({ id }) => id),
    );
    const wanted = new Map(rows.map(({ id, stopRequested }) => [id, stopRequested]));
    for (const { reply, content } of changed) Object.assign(reply, { saved: content, writtenAt: now });
    for (const reply of [...changed.map(({ reply }) => reply), ...silent]) {
      reply.askedAt = now;
      if (wanted.get(reply.id) !== false) reply.stop(wanted.has(reply.id) ? "stop" : "lost");
    }
  } catch (error) {
    // A brief database outage loses nothing: the next save contains the whole text.
    log("warn", "replies were not saved", { replies: changed.length, error: String(error) });
  } finally {
    isSaving = false;
  }
}

function mustWrite({ draft, saved, writtenAt }: Growing, now: number): boolean {
  if (now - writtenAt >= keepAliveMs) return true;
  return draft.content !== saved && (saved === "" || now - writtenAt >= saveEveryMs);
}
