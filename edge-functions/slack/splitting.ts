// Owns where a long reply is split into Slack messages. Pure.

/** In characters. Slack takes 12,000 of Markdown, which must also hold the conversion and a closing fence. */
export const longestPart = 11_000;

/**
 * The position to cut a long text at: after a paragraph, a line or a word, as late as possible.
 * @param least minimum position
 */
export function cutOf(text: string, least: number, limit = longestPart): number {
  const window = text.slice(0, limit);
  for (const boundary of ["\n\n", "\n", " "]) {
    const at = window.lastIndexOf(boundary);
    if (at >= Math.max(least, limit / 2)) return at + boundary.length;
  }
  // Does not split a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(window) ? limit - 1 : limit;
}

/** For a text that ends within a code block: the fence that closes the block, and the one that reopens it. */
export function openFence(text: string): { close: string; reopen: string } {
  let open = "";
  for (const line of text.split("\n")) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (!fence) continue;
    const [, sign = "", info = ""] = fence;
    if (open === "") open = sign + info.trim();
    else if (sign.startsWith(/^(`+|~+)/.exec(open)?.[0] ?? "\0") && info.trim() === "") open = "";
  }
  if (open === "") return { close: "", reopen: "" };
  const sign = /^(`+|~+)/.exec(open)?.[0] ?? "```";
  return { close: `${text.endsWith("\n") ? "" : "\n"}${sign}`, reopen: `${open}\n` };
}

/** No part is cut shorter, in characters, to fit. */
const shortestPart = 100;

/**
 * Splits a text into parts that Slack takes, with code blocks closed and reopened. An empty text is one empty part.
 * @param sizeOf what the limit is of: characters by default
 */
export function partsOf(text: string, limit: number, sizeOf = (part: string) => part.length): string[] {
  const parts: string[] = [];
  let rest = text;
  while (sizeOf(rest) > limit) {
    for (let most = Math.min(limit, rest.length - 1); ; most = Math.floor(most / 2)) {
      const head = rest.slice(0, cutOf(rest, 0, most));
      const { close, reopen } = openFence(head);
      const part = (head + close).trimEnd();
      if (sizeOf(part) > limit && most > shortestPart) continue;
      parts.push(part);
      // A fence as long as its part would be reopened for ever.
      rest = (reopen.length < head.length ? reopen : "") + rest.slice(head.length);
      break;
    }
  }
  return [...parts, rest];
}
