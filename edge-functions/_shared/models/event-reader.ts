// Owns reading a provider's event stream: bytes in, JSON out, one list for each arrival from the network. The openai package passes each
// event through several asynchronous layers, which costs more than the rest of a streamed word. Must not know what the events mean.
import { createParser } from "eventsource-parser";
import { APIError } from "openai";
import { parseForeignJson } from "../outbound/json-depth.ts";
import { sentenceOf } from "../text/sentences.ts";
import { ModelError } from "./model-errors.ts";

const marker = "[DONE]";
/** Of one event: some words, or the calls of some tools. */
const mostValues = 100_000;
/** Of any answer of a provider: 128 vectors of 3,072 numbers are 8 MiB of JSON. */
export const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * The events of a response that arrived together, as parsed JSON. Ends with the response; events after [DONE] are ignored. A response
 * without events is JSON as a whole, from a server that does not stream.
 * @param signal closes the connection: Deno's fetch loses its own after the headers have arrived and the garbage collector has run
 * @throws SyntaxError for an event that is not JSON, APIError for an error within the stream, ModelError beyond the limits
 */
export async function* readEvents(
  { body, headers }: Response,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): AsyncGenerator<unknown[]> {
  if (!body) return;
  const reader = body.getReader();
  const leave = () => void reader.cancel(signal.reason).catch(() => {});
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  const decoder = new TextDecoder();
  let arrived: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => arrived.push(data) });
  /** Until the first event: all that was read. */
  let whole: string | undefined = "";
  let size = 0;
  let isDone = false;
  try {
    while (true) {
      const { done, value } = await reader.read();
      size += value?.byteLength ?? 0;
      if (size > maxBytes) throw new ModelError("bad_answer", sentenceOf("modelEndless"));
      const events: unknown[] = [];
      let failure: unknown;
      // An event may lack its empty line at the stream's end.
      const text = done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true });
      // No provider ends lines with a carriage return alone, for which the parser takes quadratic time.
      parser.feed(text.replaceAll("\r", ""));
      whole = arrived.length > 0 || whole === undefined ? undefined : whole + text;
      if (done && whole?.trim()) arrived.push(whole);
      for (const data of arrived) {
        isDone ||= data.startsWith(marker);
        if (isDone) break;
        try {
          events.push(eventOf(data, headers));
        } catch (error) {
          failure = error;
          break;
        }
      }
      arrived = [];
      // Events before a failure are part of the reply.
      if (events.length > 0) yield events;
      if (failure) throw failure;
      if (done) return;
    }
  } finally {
    signal.removeEventListener("abort", leave);
    reader.cancel().catch(() => {});
  }
}

function eventOf(data: string, headers: Headers): unknown {
  const event = parseForeignJson(data, mostValues);
  const error = typeof event === "object" && event !== null && "error" in event ? event.error : undefined;
  // Thrown in the form in which the package reports it. OpenRouter's code is the status that the response would have had.
  if (error) throw new APIError(statusIn(error), Object(error), undefined, headers);
  return event;
}

function statusIn(error: unknown): number | undefined {
  const { code } = Object(error);
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined;
}
