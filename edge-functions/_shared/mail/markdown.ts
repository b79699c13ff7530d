// Owns Markdown in mails: as HTML, and as text without its syntax. Pure. Raw HTML is escaped, images become links, and links lead to the
// web or to mail only.
import { Marked, type RendererObject, type Tokens } from "marked";
import { lexMarkdown } from "../text/markdown-lexer.ts";

const safeLink = /^(https?:\/\/|mailto:)/i;
const cell = "padding:4px 8px;border:1px solid #d4d4d8;vertical-align:top";
const bullet = "•";

/** A line break in the source stays a line break, as the author saw it. */
const reading = { gfm: true, breaks: true } as const;

const linkTo = (href: string, words: string): string =>
  safeLink.test(href) ? `<a href="${escapeHtml(href)}" style="color:#18181b">${words}</a>` : words;

const asHtml: RendererObject = {
  html: ({ text, block }) =>
    block ? `<p style="margin:0 0 16px">${escapeHtml(text)}</p>` : escapeHtml(text),
  heading({ tokens }) {
    return `<p style="margin:0 0 8px;font-weight:600">${this.parser.parseInline(tokens)}</p>\n`;
  },
  paragraph({ tokens }) {
    return `<p style="margin:0 0 16px">${this.parser.parseInline(tokens)}</p>\n`;
  },
  link({ href, tokens }) {
    return linkTo(href, this.parser.parseInline(tokens));
  },
  image: ({ href, text }) => linkTo(href, escapeHtml(text || href)),
  checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  table({ header, rows }) {
    const line = (cells: Tokens.TableCell[]) =>
      `<tr>${cells.map((one) => this.tablecell(one)).join("")}</tr>\n`;
    const body = [header, ...rows].map(line).join("");
    return `<table style="margin:0 0 16px;border-collapse:collapse">\n${body}</table>\n`;
  },
  tablecell({ tokens, header, align }) {
    const tag = header ? "th" : "td";
    return `<${tag} style="${cell};text-align:${align ?? "left"}">${this.parser.parseInline(tokens)}</${tag}>`;
  },
};

const asText: RendererObject = {
  html: ({ text }) => text,
  text(token) {
    return "tokens" in token && token.tokens ? this.parser.parseInline(token.tokens) : token.text;
  },
  heading({ tokens }) {
    return `${this.parser.parseInline(tokens)}\n\n`;
  },
  paragraph({ tokens }) {
    return `${this.parser.parseInline(tokens)}\n\n`;
  },
  strong({ tokens }) {
    return this.parser.parseInline(tokens);
  },
  em({ tokens }) {
    return this.parser.parseInline(tokens);
  },
  del({ tokens }) {
    return this.parser.parseInline(tokens);
  },
  codespan: ({ text }) => text,
  br: () => "\n",
  hr: () => "",
  code: ({ text }) => `${text}\n\n`,
  blockquote({ tokens }) {
    return this.parser.parse(tokens);
  },
  link({ href, tokens }) {
    const words = this.parser.parseInline(tokens);
    return words === href || `mailto:${words}` === href || !safeLink.test(href)
      ? words
      : `${words} (${href})`;
  },
  image: ({ href, text }) => (safeLink.test(href) ? `${text} (${href})`.trim() : text),
  checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  list({ items, ordered, start }) {
    const first = Number(start) || 1;
    const lines = items.map((item, at) => {
      const words = this.parser.parse(item.tokens).trim().replaceAll("\n", "\n  ");
      return `${ordered ? `${first + at}.` : bullet} ${words}`;
    });
    return `\n${lines.join("\n")}\n\n`;
  },
  /** Most mail readers use a proportional font, so columns aligned with spaces would be crooked. */
  table({ header, rows }) {
    const words = (one: Tokens.TableCell) => this.parser.parseInline(one.tokens);
    const columns = header.map(words);
    const lines = rows.map((row) =>
      row.map((one, at) => (columns[at] ? `${columns[at]}: ${words(one)}` : words(one))).join(", "),
    );
    return `${lines.join("\n")}\n\n`;
  },
};

const html = new Marked(reading, { renderer: asHtml });
const text = new Marked(reading, { renderer: asText });

export function escapeHtml(words: string): string {
  return words.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export const markdownHtml = (markdown: string): string => html.parser(lexMarkdown(markdown, reading));

export const markdownText = (markdown: string): string =>
  text
    .parser(lexMarkdown(markdown, reading))
    .replace(/\n{3,}/g, "\n\n")
    .trim();
