// Owns reading responses as they cross the wire: fetch decodes a compressed body and hides the compression.
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Bytes on the wire. */
  sent: Buffer;
  /** The decoded bytes. */
  body: Buffer;
}

/** @param headers sent without any other: no Accept-Encoding unless it is named */
export function readRaw(
  url: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const read = async (answer: IncomingMessage): Promise<RawAnswer> => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const sent = Buffer.concat(chunks);
      const body = sent.length > 0 ? decode(sent, answer.headers["content-encoding"]) : sent;
      return { status: answer.statusCode ?? 0, headers: answer.headers, sent, body };
    };
    const asking = request(url, { method, headers }, (answer) => read(answer).then(resolve, reject));
    asking.on("error", reject).end();
  });
}

function decode(sent: Buffer, encoding: string | undefined): Buffer {
  if (encoding === undefined) return sent;
  if (encoding === "br") return brotliDecompressSync(sent);
  if (encoding === "gzip") return gunzipSync(sent);
  throw new Error(`an encoding that nobody asked for: ${encoding}`);
}
