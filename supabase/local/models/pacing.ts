// Owns how the built-in model's reply is divided and timed while it streams. Knows neither the protocol nor the content of a reply.
import { setTimeout as sleep } from "node:timers/promises";

/** Few, because each piece costs work in every process that it passes through. Together they take a fifth of a second. */
const mostPieces = 4;
const leastCharacters = 60;
const pauseMs = 60;
/** Characters to search for the end of a clause before a piece ends after any word. */
const longestLook = 60;

export type Pacing = { pieces: string[]; pauseMs: number };

/** A reply in a few pieces of about the same length, each ending with a clause where it can. */
export function byClauses(text: string): Pacing {
  const size = Math.max(leastCharacters, Math.ceil(text.length / mostPieces));
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > 1.5 * size) {
    const near = text.slice(from + size, from + size + longestLook);
    const clause = /[,;:.!?…)\]]+(?:\s*\[\d{1,3}\])*(?=\s|$)|\n/.exec(near);
    const word = /\s/.exec(text.slice(from + size));
    if (!clause && !word) break;
    const end = from + size + (clause ? clause.index + clause[0].length : (word?.index ?? 0));
    pieces.push(text.slice(from, end));
    from = end;
  }
  return { pieces: [...pieces, text.slice(from)].filter(Boolean), pauseMs };
}

/** A few words at a time, as a slow model sends them. */
export function byWords(text: string, pauseMs: number): Pacing {
  return { pieces: text.match(/\s*\S+(?:\s+\S+){0,2}/g) ?? [], pauseMs };
}

/** A stream of the texts with a pause between two. It ends when its reader leaves. */
export function streamInPieces(texts: string[], pauseMs: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const left = new AbortController();
  let at = 0;
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      if (at > 0 && pauseMs > 0) await sleep(pauseMs, undefined, { signal: left.signal });
      stream.enqueue(encoder.encode(texts[at]));
      at += 1;
      if (at >= texts.length) stream.close();
    },
    cancel: () => left.abort(),
  });
}
