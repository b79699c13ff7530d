// The process that parses, one document at a time, for parse-guarded.ts, which ends it. May read the program only: no network,
// no other files, no settings. While a thread parses, it watches its own total memory: buffers are outside of every heap and
// its limit.
import process from "node:process";
import { Worker } from "node:worker_threads";
import { frameHeader, framesOf } from "./parse-frames.ts";
import type { ParseReply, ParseRequest } from "./parse-worker.ts";
import { limits } from "./parsers/document.ts";

/** The order for one document, sent before its bytes. */
export interface ParseOrder extends Omit<ParseRequest, "bytes"> {
  milliseconds: number;
  memoryMib: number;
}

/** The answer to an order. After isLast the process exits, which frees its memory. */
export interface ParseAnswer {
  reply: ParseReply | { kind: "too_much" };
  isLast: boolean;
}

const watchMs = 5;
/** Above this after a document, the process exits: the memory is garbage, and the next document needs it. */
const keptMib = 200;
const residentMib = () => process.memoryUsage().rss / 2 ** 20;

const threads = new Map<number, Worker>();

function threadOf(memoryMib: number): Worker {
  const thread =
    threads.get(memoryMib) ??
    new Worker(new URL("./parse-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
      env: {},
    });
  threads.set(memoryMib, thread);
  return thread;
}

function replyTo(
  { milliseconds, memoryMib, ...input }: ParseOrder,
  bytes: SharedArrayBuffer,
): Promise<ParseAnswer["reply"]> {
  const thread = threadOf(memoryMib);
  return new Promise((resolve) => {
    const end = (reply: ParseAnswer["reply"]) => {
      clearTimeout(deadline);
      clearInterval(watch);
      thread.removeAllListeners();
      resolve(reply);
    };
    const tooMuch = () => end({ kind: "too_much" });
    const deadline = setTimeout(tooMuch, milliseconds);
    const watch = setInterval(() => {
      if (residentMib() > limits.processMib) tooMuch();
    }, watchMs);
    thread.on("message", end).on("error", tooMuch).on("exit", tooMuch);
    thread.postMessage({ ...input, bytes } satisfies ParseRequest);
  });
}

/** Resolves when the data is flushed. */
const write = (bytes: Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

// The parent closes stdin when it exits or needs no more documents.
for await (const { header, bytes } of framesOf<ParseOrder>(process.stdin)) {
  const reply = await replyTo(header, bytes);
  const isLast = reply.kind === "too_much" || residentMib() > keptMib;
  await write(frameHeader({ reply, isLast } satisfies ParseAnswer, 0));
  if (isLast) break;
}
process.exit(0);
