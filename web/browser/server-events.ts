// Reads server-sent events from a fetch answer. EventSource cannot POST, and replies are asked for by POST.

export interface ServerEvent {
  event: string;
  data: string;
}

function parse(block: string): ServerEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length > 0 ? { event, data: data.join("\n") } : null;
}

/** The events of a text/event-stream body, as they come (HTML standard, section 9.2). */
export async function* serverEvents(answer: Response): AsyncGenerator<ServerEvent> {
  if (!answer.body) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (rest + part.value).replaceAll("\r\n", "\n").split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parse(block);
        if (event) yield event;
      }
    }
    const last = parse(rest);
    if (last) yield last;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
