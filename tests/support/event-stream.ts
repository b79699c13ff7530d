// Owns reading server-sent events in tests, as a browser would (HTML, section 9.2.6).

export type ServerEvent = { event: string; data: string };

/** The events of a response as they come. */
export async function* serverEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream"))
    throw new Error(`no event stream but ${response.status}: ${await response.text()}`);
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n").filter((line) => !line.startsWith(":"));
      const field = (name: string) =>
        lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
      if (lines.length > 0) yield { event: field("event")[0] ?? "message", data: field("data").join("\n") };
    }
  }
}

/** All of them, with their data parsed. */
export async function allEvents(response: Response) {
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what they find in it.
  const found: { event: string; data: any }[] = [];
  for await (const { event, data } of serverEvents(response)) found.push({ event, data: JSON.parse(data) });
  return found;
}
