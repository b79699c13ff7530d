// A thread that parses, one document at a time, for parse-guarded.ts, which can end it. Holds no settings, no connection.
import { parentPort } from "node:worker_threads";
import {
  type ParsedDocument,
  ParseError,
  type ParseErrorCode,
  type ParserInput,
} from "./parsers/document.ts";
import { parseFile } from "./parsers/registry.ts";

export type ParseReply =
  | { kind: "ready" }
  | { kind: "parsed"; parsed: ParsedDocument }
  | { kind: "refused"; code: ParseErrorCode; params: Record<string, string> };

parentPort?.on("message", async (input: ParserInput) => {
  parentPort?.postMessage(await reply(input));
});
parentPort?.postMessage({ kind: "ready" } satisfies ParseReply);

async function reply(input: ParserInput): Promise<ParseReply> {
  try {
    return { kind: "parsed", parsed: await parseFile(input) };
  } catch (error) {
    if (error instanceof ParseError) return { kind: "refused", code: error.code, params: error.params };
    return { kind: "refused", code: "unreadable", params: {} };
  }
}
