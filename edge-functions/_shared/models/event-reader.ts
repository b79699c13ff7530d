// Owns reading a provider's event stream: bytes in, JSON out, one list for each arrival from the network. The openai package takes each
// event through several asynchronous layers, which costs more than the rest of a streamed word. Must not know what the events mean.
// Source: https://html.spec.whatwg.org/multipage/server-sent-events.html, with lines that end in a line feed, as every provider's do.
import { APIError } from "openai";
import { ModelError } from "./model-errors.ts";

/** Characters of one event. */
const longestEvent = 4_000_000;
const marker = "[DONE]";

/**
 * The events of a response that arrived together, as parsed JSON. Ends with the response; events after [DONE] are ignored.
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
  const lines = new EventLines();
  let size = 0;
  let isDone = false;
  try {
    while (true) {
      const { done, value } = await reader.read();
      size += value?.byteLength ?? 0;
      if (size > maxBytes)
        throw new ModelError("bad_answer", "The model's answer is larger than can be read.");
      const events: unknown[] = [];
      let failure: unknown;
      for (const data of done ? lines.end() : lines.push(value)) {
        isDone ||= data.startsWith(marker);
        if (isDone) break;
        try {
          events.push(eventOf(data, headers));
        } catch (error) {
          failure = error;
          break;
        }
      }
      // Those before a failure are part of the reply.
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
  const event: unknown = JSON.parse(data);
  const error = typeof event === "object" && event !== null && "error" in event ? event.error : undefined;
  // As the package reports it.
  if (error) throw new APIError(undefined, Object(error), undefined, headers);
  return event;
}

/** Collects lines until an empty one ends the event. */
class EventLines {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #data: string[] = [];

  /** @returns the data of each event that these bytes complete */
  push(bytes: Uint8Array): string[] {
    return this.#read(this.#decoder.decode(bytes, { stream: true }));
  }

  /** @returns the data of an event that the stream's end completes */
  end(): string[] {
    return this.#read(`${this.#decoder.decode()}\n\n`);
  }

  #read(text: string): string[] {
    const found: string[] = [];
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      this.#line(this.#rest + text.slice(from, at), found);
      this.#rest = "";
      from = at + 1;
    }
    this.#rest += text.slice(from);
    if (this.#rest.length > longestEvent)
      throw new ModelError("bad_answer", "An event of the model is too long.");
    return found;
  }

  #line(raw: string, found: string[]): void {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (line.startsWith("data:")) this.#data.push(line.slice(line[5] === " " ? 6 : 5));
    if (line !== "" || this.#data.length === 0) return;
    found.push(this.#data.join("\n"));
    this.#data = [];
  }
}
