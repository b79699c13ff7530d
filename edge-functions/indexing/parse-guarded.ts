// Owns parsing under limits: in a child process with a deadline and a memory limit that includes buffers, without network,
// settings or files. Hosted functions cannot start processes: there the host is the limit, and steps/pages.ts splits the work.
import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { log } from "../_shared/operation/log.ts";
import { frameHeader, framesOf } from "./parse-frames.ts";
import type { ParseAnswer, ParseOrder } from "./parse-process.ts";
import type { ParseReply } from "./parse-worker.ts";
import {
  limits,
  type PagePictures,
  type ParsedDocument,
  ParseError,
  type ParserInput,
} from "./parsers/document.ts";

export interface ParseOptions {
  milliseconds?: number;
  memoryMib?: number;
}

const idleMs = 30_000;
/** How long past its deadline a process may take to report. */
const graceMs = 5_000;

/** A child process and its answers. */
interface Parser {
  process: ChildProcess;
  /** Why the process could not be started. */
  problem?: Error;
  answers: AsyncGenerator<{ header: ParseAnswer }>;
}

/** Idle processes that wait for a document: starting one costs more than parsing a small file. */
const idle: { parser: Parser; timer: ReturnType<typeof setTimeout> }[] = [];
const isDeno = process.versions.deno !== undefined;
let processesExist = isDeno;

// A damaged file leaves promises of pdf.js that nobody awaits. Parsed in place, one would end the function and all of its tasks.
globalThis.addEventListener?.("unhandledrejection", (event) => {
  if (event.reason instanceof Error && event.reason.stack?.includes("/pdfjs.")) event.preventDefault();
});

/** For hosts that cannot start processes. */
export function parseInPlace(inPlace = true): void {
  processesExist = isDeno && !inPlace;
}

/**
 * @returns undefined on hosts without processes
 * @throws ParseError, `too_slow` past 60 s or 448 MiB; the signal's reason when aborted
 */
export async function parseGuarded(
  input: ParserInput,
  signal: AbortSignal,
  options: ParseOptions = {},
): Promise<ParsedDocument | undefined> {
  const reply = await askGuarded(input, {}, signal, options);
  if (reply && reply.kind !== "parsed") throw new ParseError("too_slow", input.name);
  return reply?.parsed;
}

/**
 * The pictures of a page without text. Returns undefined and throws as parseGuarded() does.
 * @throws ParseError
 */
export async function readPicturesGuarded(
  input: ParserInput,
  page: number,
  signal: AbortSignal,
): Promise<PagePictures | undefined> {
  const reply = await askGuarded(input, { picturesOf: page }, signal);
  if (reply && reply.kind !== "pictures") throw new ParseError("too_slow", input.name);
  if (!reply) return undefined;
  const pictures = reply.pictures.map(({ contentType, base64 }) => ({
    contentType,
    bytes: Buffer.from(base64, "base64"),
  }));
  return { pictures, isBlank: reply.isBlank };
}

async function askGuarded(
  { bytes, name, contentType, readings }: ParserInput,
  asked: Pick<ParseOrder, "picturesOf">,
  signal: AbortSignal,
  { milliseconds = limits.milliseconds, memoryMib = limits.memoryMib }: ParseOptions = {},
): Promise<ParseReply | undefined> {
  const order: ParseOrder = { name, contentType, readings, ...asked, milliseconds, memoryMib };
  const used = takeIdle();
  let reply = used && (await ask(used, order, bytes, signal));
  // An earlier document's memory, or a failure that it left behind, may end a process: a new one judges this document alone.
  if (!reply || reply.kind === "too_much") {
    const parser = startOne();
    reply = parser && (await ask(parser, order, bytes, signal));
  }
  if (reply?.kind === "refused") throw new ParseError(reply.code, name, reply.params);
  if (reply?.kind === "too_much") throw new ParseError("too_slow", name);
  return reply;
}

/** Undefined when no process can be started. */
async function ask(
  parser: Parser,
  order: ParseOrder,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<ParseAnswer["reply"] | undefined> {
  const kill = () => void parser.process.kill("SIGKILL");
  const deadline = setTimeout(kill, order.milliseconds + graceMs);
  signal.addEventListener("abort", kill, { once: true });
  try {
    signal.throwIfAborted();
    const answer = await answerOf(parser, order, bytes);
    signal.throwIfAborted();
    if (parser.problem) return withoutProcesses(parser.problem);
    if (!answer || answer.isLast) kill();
    else giveBack(parser);
    // Without an answer, the process has ended while it read the document.
    return answer?.reply ?? { kind: "too_much" };
  } catch (error) {
    kill();
    throw error;
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener("abort", kill);
  }
}

/** Ends the idle processes, for tests and for shutdown. */
export async function endParsers(): Promise<void> {
  for (const { parser, timer } of idle.splice(0)) {
    clearTimeout(timer);
    parser.process.kill("SIGKILL");
  }
}

/** Undefined when the process exits before it answers. */
async function answerOf(
  { process: { stdin }, answers }: Parser,
  order: ParseOrder,
  bytes: Uint8Array,
): Promise<ParseAnswer | undefined> {
  stdin?.write(frameHeader(order, bytes.byteLength));
  stdin?.write(bytes);
  // The stream may break when the process exits.
  const next = await answers.next().catch(() => undefined);
  return next?.value?.header;
}

function takeIdle(): Parser | undefined {
  const waiting = idle.pop();
  clearTimeout(waiting?.timer);
  return waiting?.parser;
}

function startOne(): Parser | undefined {
  if (!processesExist) return undefined;
  try {
    return startParser();
  } catch (error) {
    return withoutProcesses(error);
  }
}

/** This function lacks the permission. Later documents do not try again. */
function withoutProcesses(problem: unknown): undefined {
  log("warn", "documents are parsed without a limit to memory: no process can be started", {
    error: String(problem),
  });
  processesExist = false;
}

function giveBack(parser: Parser): void {
  const timer = setTimeout(() => {
    idle.splice(
      idle.findIndex((one) => one.parser === parser),
      1,
    );
    parser.process.kill("SIGKILL");
  }, idleMs);
  idle.push({ parser, timer });
}

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

function startParser(): Parser {
  const readable = [
    "./",
    "../_shared/",
    "../../locales/",
    "../../node_modules",
    "../../deno.json",
    "../../package.json",
  ].map(pathOf);
  const child = spawn(
    process.execPath,
    [
      ...[
        "run",
        "--quiet",
        "--no-prompt",
        "--no-check",
        "--no-lock",
        "--no-remote",
        "--node-modules-dir=manual",
      ],
      `--config=${pathOf("../../deno.json")}`,
      `--allow-read=${readable.join(",")}`,
      // Packages read variables; the environment is empty.
      "--allow-env",
      pathOf("./parse-process.ts"),
    ],
    { env: {}, stdio: ["pipe", "pipe", "inherit"] },
  );
  const parser: Parser = { process: child, answers: framesOf<ParseAnswer>(child.stdout ?? empty()) };
  child.on("error", (error) => {
    parser.problem = error;
  });
  // A write to an exited process fails here; the missing answer reports it.
  child.stdin?.on("error", () => {});
  return parser;
}

async function* empty(): AsyncGenerator<Uint8Array> {}
