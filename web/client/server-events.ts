// Reads server-sent events from a fetch response. EventSource cannot POST, and questions are sent by POST.
import { EventSourceParserStream } from "eventsource-parser/stream";

export interface ServerEvent {
  event: string;
  data: string;
}

/**
 * The events of a text/event-stream body, as they arrive. Drops one that the connection has cut off, as the standard
 * requires.
 */
export async function* serverEvents(answer: Response): AsyncGenerator<ServerEvent> {
  if (!answer.body) return;
  const text = answer.body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>);
  const reader = text.pipeThrough(new EventSourceParserStream()).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      yield { event: part.value.event ?? "message", data: part.value.data };
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
