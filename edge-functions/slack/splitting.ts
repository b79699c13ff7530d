// Owns where a long reply is cut into Slack messages. Pure.

/** In characters: Slack takes 12,000 of Markdown; what it becomes, and a fence that is closed, must fit as well. */
export const longestPart = 11_000;

/**
 * Where to cut a text that is too long: behind a paragraph, a line or a word, as late as can be.
 * @param least cut no earlier than this
 */
export function cutOf(text: string, least = 0, limit = longestPart): number {
  const window = text.slice(0, limit);
  for (const boundary of ["\n\n", "\n", " "]) {
    const at = window.lastIndexOf(boundary);
    if (at >= Math.max(least, limit / 2)) return at + boundary.length;
  }
  // Never within a character.
  return /[\uD800-\uDBFF]$/.test(window) ? limit - 1 : limit;
}

/** What a text that ends within a code block lacks: the fence that closes it, and the one that opens it again. */
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

/** A text in parts that Slack takes, code blocks closed and opened again. An empty text is one empty part. */
export function partsOf(text: string, limit = longestPart): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const head = rest.slice(0, cutOf(rest, 0, limit));
    const { close, reopen } = openFence(head);
    parts.push((head + close).trimEnd());
    rest = reopen + rest.slice(head.length);
  }
  return [...parts, rest];
}
