// Owns the conversion of Markdown to Slack's dialect: https://docs.slack.dev/messaging/formatting-message-text. Pure. Its output
// never mentions anybody.
import type { Token, Tokens } from "marked";
import { lexMarkdown } from "../_shared/text/markdown-lexer.ts";

/** Escapes Slack's three control characters. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * Markdown for Slack's markdown_text with mentions defused: "<!channel>" would notify everybody. A word joiner between the
 * characters keeps the text looking the same.
 * @param before what the message shows before it, which may end within a mention
 */
export function withoutMentions(markdown: string, before = ""): string {
  const joint = before.endsWith("<") && /^[!@#]/.test(markdown) ? "\u2060" : "";
  return joint + markdown.replace(/<(?=[!@#])/g, "<\u2060");
}

/** A link with a label; the label alone when Slack cannot open the URL. */
export function linkTo(url: string | null, label: string): string {
  const text = escapeText(label.replace(/\s+/g, " ").trim());
  if (!url || !/^https?:\/\//i.test(url)) return text;
  return `<${escapeText(url).replaceAll("|", "%7C")}|${text.replaceAll("|", "¦")}>`;
}

/** Markdown as mrkdwn. Elements that Slack lacks (headings, tables) become the closest equivalent. */
export function toMrkdwn(markdown: string): string {
  return blocks(lexMarkdown(markdown)).trim();
}

function blocks(tokens: Token[]): string {
  return tokens
    .map((token) => block(token as Tokens.Generic))
    .filter((text) => text !== "")
    .join("\n\n");
}

function block(token: Tokens.Generic): string {
  switch (token.type) {
    case "heading":
      return `*${plain(token.tokens ?? [])}*`;
    case "paragraph":
    case "text":
      return inline(token.tokens ?? [token]);
    case "code":
      return `\`\`\`\n${escapeText(token.text)}\n\`\`\``;
    case "blockquote":
      return blocks(token.tokens ?? [])
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n");
    case "list":
      // marked's own type of a list token.
      return list(token as Tokens.List, 0);
    case "table":
      return table(token as Tokens.Table);
    case "hr":
      return "―――";
    case "space":
      return "";
    default:
      return escapeText(token.raw ?? "").trim();
  }
}

function list(token: Tokens.List, depth: number): string {
  const first = typeof token.start === "number" ? token.start : 1;
  return token.items
    .map((item, i) => {
      const mark = token.ordered ? `${first + i}.` : "•";
      const parts = item.tokens
        .filter(({ type }) => type !== "checkbox")
        .map((part) =>
          part.type === "list" ? list(part as Tokens.List, depth + 1) : block(part as Tokens.Generic),
        );
      const done = item.task ? (item.checked ? "☑ " : "☐ ") : "";
      return `${"    ".repeat(depth)}${mark} ${done}${parts.filter(Boolean).join("\n")}`;
    })
    .join("\n");
}

/** Cells are filled up to this width, or one long cell would widen every row. */
const widestColumn = 40;

/** Aligned text in a code block, where Slack preserves spaces. */
function table(token: Tokens.Table): string {
  const rows = [token.header, ...token.rows].map((row) => row.map((cell) => cell.text.replace(/\s+/g, " ")));
  const widths = token.header.map((_, column) =>
    Math.min(widestColumn, Math.max(...rows.map((row) => (row[column] ?? "").length))),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return `\`\`\`\n${escapeText([lines[0], rule, ...lines.slice(1)].join("\n"))}\n\`\`\``;
}

function inline(tokens: Token[]): string {
  return tokens.map((token) => span(token as Tokens.Generic)).join("");
}

function span(token: Tokens.Generic): string {
  switch (token.type) {
    case "strong":
      return `*${inline(token.tokens ?? [])}*`;
    case "em":
      return `_${inline(token.tokens ?? [])}_`;
    case "del":
      return `~${inline(token.tokens ?? [])}~`;
    case "codespan":
      return `\`${escapeText(token.text)}\``;
    case "link":
      return linkTo(token.href, plain(token.tokens ?? []) || token.href);
    case "image":
      return escapeText(token.text);
    case "br":
      return "\n";
    case "text":
      return token.tokens ? inline(token.tokens) : escapeText(unescapeMrkdwn(token.text));
    default:
      return escapeText(token.text ?? token.raw ?? "");
  }
}

function plain(tokens: Token[]): string {
  return tokens
    .map((token) => {
      const { tokens: inner, text, raw } = token as Tokens.Generic;
      return inner ? plain(inner) : (text ?? raw);
    })
    .join("");
}

/** marked leaves HTML entities escaped. */
function unescapeMrkdwn(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
