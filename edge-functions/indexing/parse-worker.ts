// A thread that parses, one document at a time, for parse-process.ts, which watches it. Holds no settings, no connection.
import { parentPort } from "node:worker_threads";
import {
  type ParsedDocument,
  ParseError,
  type ParseErrorCode,
  type ParserInput,
} from "./parsers/document.ts";
import { parseFile } from "./parsers/registry.ts";

export type ParseReply =
  | { kind: "parsed"; parsed: ParsedDocument }
  | { kind: "refused"; code: ParseErrorCode; params: Record<string, string> };

/** What a thread is sent: the file's bytes shared with it, which it copies before it reads them. */
export type ParseRequest = Omit<ParserInput, "bytes"> & { bytes: SharedArrayBuffer };

parentPort?.on("message", async ({ bytes, ...input }: ParseRequest) => {
  // Decoders take no shared memory.
  parentPort?.postMessage(await reply({ ...input, bytes: new Uint8Array(bytes).slice() }));
});

async function reply(input: ParserInput): Promise<ParseReply> {
  try {
    return { kind: "parsed", parsed: await parseFile(input) };
  } catch (error) {
    if (error instanceof ParseError) return { kind: "refused", code: error.code, params: error.params };
    return { kind: "refused", code: "unreadable", params: {} };
  }
}
