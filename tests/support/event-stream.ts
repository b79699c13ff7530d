// Reads server-sent events in tests, as a browser does.
import { EventSourceParserStream } from "eventsource-parser/stream";

export type ServerEvent = { event: string; data: string };

/** Yields a response's events as they arrive. */
export async function* serverEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream"))
    throw new Error(`no event stream but ${response.status}: ${await response.text()}`);
  const text = response.body?.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>);
  for await (const { event = "message", data } of text?.pipeThrough(new EventSourceParserStream()) ?? [])
    yield { event, data };
}

/** All events of a response, with their data parsed. */
export async function allEvents(response: Response) {
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what they find in it.
  const found: { event: string; data: any }[] = [];
  for await (const { event, data } of serverEvents(response)) found.push({ event, data: JSON.parse(data) });
  return found;
}
