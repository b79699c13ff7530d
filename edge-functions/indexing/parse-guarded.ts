// Parses a document where it can be cut off: in a thread with a memory limit and a deadline. Hosted functions have no
// threads: there the host is the limit, and steps/pages.ts cuts the work up for it.
import type { Worker } from "node:worker_threads";
import type { ParseReply, ParseRequest } from "./parse-worker.ts";
import { limits, type ParsedDocument, ParseError, type ParserInput } from "./parsers/document.ts";

export interface ParseOptions {
  milliseconds?: number;
  memoryMib?: number;
}

const startMs = 10_000;
const idleMs = 30_000;

/** Threads that wait for their next document: starting one costs more than parsing a small file. */
const idle: { thread: Worker; memoryMib: number; timer: ReturnType<typeof setTimeout> }[] = [];
let threadsExist = true;

/** For hosts that are known to have no threads: spares the attempt to start one. */
export function parseInPlace(inPlace = true): void {
  threadsExist = !inPlace;
}

/**
 * @returns undefined where there are no threads
 * @throws ParseError, `too_slow` past 60 s or 512 MiB; the signal's reason when aborted
 */
export async function parseGuarded(
  input: ParserInput,
  signal: AbortSignal,
  { milliseconds = limits.milliseconds, memoryMib = limits.memoryMib }: ParseOptions = {},
): Promise<ParsedDocument | undefined> {
  signal.throwIfAborted();
  const thread = await takeThread(memoryMib);
  if (!thread) return undefined;
  let reply: ParseReply;
  try {
    reply = await answer(thread, input, signal, milliseconds);
  } catch (error) {
    await thread.terminate();
    throw error;
  }
  giveBack(thread, memoryMib);
  if (reply.kind === "parsed") return reply.parsed;
  throw new ParseError(reply.kind === "refused" ? reply.code : "unreadable", input.name, {
    ...(reply.kind === "refused" ? reply.params : {}),
  });
}

/** Ends the threads that wait, for tests and for a process that stops. */
export async function endParseThreads(): Promise<void> {
  for (const { thread, timer } of idle.splice(0)) {
    clearTimeout(timer);
    await thread.terminate();
  }
}

function answer(thread: Worker, input: ParserInput, signal: AbortSignal, ms: number): Promise<ParseReply> {
  return new Promise((resolve, reject) => {
    const tooMuch = (cause?: unknown) =>
      done(() => reject(new ParseError("too_slow", input.name, {}, { cause })));
    const abort = () => done(() => reject(signal.reason));
    const receive = (reply: ParseReply) => done(() => resolve(reply));
    const deadline = setTimeout(tooMuch, ms);
    const done = (settle: () => void) => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", abort);
      thread.off("message", receive).off("error", tooMuch).off("exit", tooMuch);
      settle();
    };
    signal.addEventListener("abort", abort, { once: true });
    thread.on("message", receive).on("error", tooMuch).on("exit", tooMuch);
    // Shared, not cloned: Deno takes 0.7 s and 50 MB for every MiB that it clones for a thread of this kind.
    const shared = new SharedArrayBuffer(input.bytes.byteLength);
    new Uint8Array(shared).set(input.bytes);
    thread.postMessage({ ...input, bytes: shared } satisfies ParseRequest);
  });
}

async function takeThread(memoryMib: number): Promise<Worker | undefined> {
  const at = idle.findIndex((one) => one.memoryMib === memoryMib);
  const [waiting] = at === -1 ? [] : idle.splice(at, 1);
  if (waiting) {
    clearTimeout(waiting.timer);
    waiting.thread.removeAllListeners();
    return waiting.thread;
  }
  if (!threadsExist) return undefined;
  const thread = await startThread(memoryMib);
  // One that never came up says that this runtime has none, or none for TypeScript: the next parse does not ask again.
  if (!thread) threadsExist = false;
  return thread;
}

function giveBack(thread: Worker, memoryMib: number): void {
  const entry = { thread, memoryMib, timer: setTimeout(() => drop(), idleMs) };
  const drop = () => {
    const at = idle.indexOf(entry);
    if (at !== -1) idle.splice(at, 1);
    clearTimeout(entry.timer);
    void thread.terminate();
  };
  thread.on("error", drop).on("exit", drop);
  idle.push(entry);
}

async function startThread(memoryMib: number): Promise<Worker | undefined> {
  try {
    const threads = await import("node:worker_threads");
    const thread = new threads.Worker(new URL("./parse-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
      // Nothing of the environment is a parser's business.
      env: {},
    });
    return await new Promise((resolve) => {
      const settle = (found: Worker | undefined) => {
        clearTimeout(timer);
        thread.removeAllListeners();
        if (!found) void thread.terminate();
        resolve(found);
      };
      const timer = setTimeout(() => settle(undefined), startMs);
      thread.once("message", () => settle(thread));
      thread.once("error", () => settle(undefined));
      thread.once("exit", () => settle(undefined));
    });
  } catch {
    return undefined;
  }
}
