// The process that parses, one document at a time, for parse-guarded.ts, which ends it. Its permissions are to read the program:
// no network, no other files, no settings. While a thread parses it watches the memory of all of itself, since buffers are
// outside of every heap and its limit.
import process from "node:process";
import { Worker } from "node:worker_threads";
import { frameHeader, framesOf } from "./parse-frames.ts";
import type { ParseReply, ParseRequest } from "./parse-worker.ts";
import { limits } from "./parsers/document.ts";

/** A document as this process is sent it; its bytes follow. */
export interface ParseOrder extends Omit<ParseRequest, "bytes"> {
  milliseconds: number;
  memoryMib: number;
}

/** What it answers. After isLast it ends, and with it all that it held. */
export interface ParseAnswer {
  reply: ParseReply | { kind: "too_much" };
  isLast: boolean;
}

const watchMs = 5;
/** With more than this after a document the process ends: what it holds is garbage, and the next document's room. */
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

/** Resolves when the other side has it. */
const write = (bytes: Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

// The other side hangs up when it ends, or needs no more.
for await (const { header, bytes } of framesOf<ParseOrder>(process.stdin)) {
  const reply = await replyTo(header, bytes);
  const isLast = reply.kind === "too_much" || residentMib() > keptMib;
  await write(frameHeader({ reply, isLast } satisfies ParseAnswer, 0));
  if (isLast) break;
}
process.exit(0);
