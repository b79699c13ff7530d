// The thread that parses, one document at a time, for parse-process.ts, which watches it. Holds no settings and no connection.
import { Buffer } from "node:buffer";
import { parentPort } from "node:worker_threads";
import {
  type ParsedDocument,
  ParseError,
  type ParseErrorCode,
  type ParserInput,
} from "./parsers/document.ts";
import { parseFile, picturesOf } from "./parsers/registry.ts";

export type ParseReply =
  | { kind: "parsed"; parsed: ParsedDocument }
  | { kind: "pictures"; isBlank: boolean; pictures: { contentType: string; base64: string }[] }
  | { kind: "refused"; code: ParseErrorCode; params: Record<string, string> };

/** The message to the thread. The file's bytes are in shared memory; the thread copies them before it reads them. */
export type ParseRequest = Omit<ParserInput, "bytes"> & {
  bytes: SharedArrayBuffer;
  /** Asks for the pictures of this page instead of the text. */
  picturesOf?: number;
};

parentPort?.on("message", async ({ bytes, ...input }: ParseRequest) => {
  // Decoders reject shared memory, so this copies.
  parentPort?.postMessage(await reply({ ...input, bytes: new Uint8Array(bytes).slice() }));
});

async function reply({
  picturesOf: page,
  ...input
}: ParserInput & { picturesOf?: number }): Promise<ParseReply> {
  try {
    if (page !== undefined) {
      const { isBlank, ...found } = await picturesOf(input, page);
      const pictures = found.pictures.map(({ contentType, bytes }) => ({
        contentType,
        base64: Buffer.from(bytes).toString("base64"),
      }));
      return { kind: "pictures", isBlank, pictures };
    }
    return { kind: "parsed", parsed: await parseFile(input) };
  } catch (error) {
    if (error instanceof ParseError) return { kind: "refused", code: error.code, params: error.params };
    return { kind: "refused", code: "unreadable", params: {} };
  }
}
