// Makes a Markdown file's source readable: its front matter becomes lines of text, and HTML, template tags and entities outside code
// become what a reader of the page sees. Each step passes over the text once.
import { decodeHTML } from "entities";
import { parseDocument } from "yaml";
import { parseMarkup } from "./html.ts";
import { writeMarked } from "./raised-text.ts";
import { oneLine } from "./text-builder.ts";

interface FrontMatter {
  title: string;
  /** Its description and other values; "" if there are none. */
  text: string;
}

/** @returns the text that a reader sees, still Markdown, and the title that the front matter states, or "" */
export function readableMarkdown(source: string): { title: string; text: string } {
  const block = frontMatterBlock(source);
  const front = block ? readFrontMatter(block) : undefined;
  const body = readableBody(front ? source.slice(block.length) : source);
  return { title: front?.title ?? "", text: [front?.text, body.trimStart()].filter(Boolean).join("\n\n") };
}

/** The YAML block between two lines of dashes at the very top, with them, or "". */
function frontMatterBlock(source: string): string {
  const opening = /^\ufeff?---[ \t]*\r?\n/.exec(source)?.[0];
  if (!opening) return "";
  const closing = /^---[ \t]*(?:\r?\n|$)/m;
  const end = closing.exec(source.slice(opening.length, 20_000));
  return end ? source.slice(0, opening.length + end.index + end[0].length) : "";
}

/** Fields about how a page looks or where it is, not about its subject. */
const ofThePage = new Set(
  "aliases cover css draft hidden icon id image img lang layout nav_order parent permalink redirect_from sidebar_label sidebar_position slug template theme toc weight".split(
    " ",
  ),
);
const descriptions = new Set(["abstract", "description", "excerpt", "subtitle", "summary"]);

/** @returns undefined when the block holds no YAML mapping; then it is text like any other */
function readFrontMatter(block: string): FrontMatter | undefined {
  const yaml = block.replace(/^\ufeff?---[^\n]*\n/, "").replace(/^---\s*$/m, "");
  const values = yamlValues(yaml);
  if (values === null || values === "") return { title: "", text: "" };
  if (typeof values !== "object" || Array.isArray(values)) return undefined;
  const described: string[] = [];
  const fields: string[] = [];
  let title = "";
  for (const [key, value] of Object.entries(values)) {
    const words = wordsOf(value);
    const name = key.toLowerCase();
    if (!words || /^(?:true|false|null|~)$/i.test(words) || ofThePage.has(name)) continue;
    if (name === "title") title = words;
    else if (descriptions.has(name)) described.push(words);
    else fields.push(`${key.replace(/[_-]+/g, " ")}: ${words}`);
  }
  return { title, text: [...described, fields.join("\n")].filter(Boolean).join("\n\n") };
}

/** Maximum lists and mappings. Some thousand nested ones would end the process by overflowing the stack of the library. */
const mostNested = 500;

/** @returns undefined for text that is not YAML, and for YAML with aliases, a few lines of which expand to gigabytes */
function yamlValues(yaml: string): unknown {
  if ((yaml.match(/[[{]|[-?:][ \t]/g) ?? []).length > mostNested) return undefined;
  const document = parseDocument(yaml, { schema: "failsafe", uniqueKeys: false });
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** A value or a list of values on one line; "" for anything nested. */
function wordsOf(value: unknown): string {
  if (typeof value === "string") return oneLine(value);
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return oneLine(value.join(", "));
  return "";
}

/** Rewrites everything but fenced and indented code. */
function readableBody(body: string): string {
  const out: string[] = [];
  let prose: string[] = [];
  let fence = "";
  let isInList = false;
  /** True where an indented line would be code: it cannot follow a paragraph or HTML directly. */
  let mayBeCode = true;
  const flush = () => {
    if (prose.length > 0) out.push(readableProse(prose.join("\n")));
    prose = [];
  };
  for (const line of body.split(/\r\n?|\n/)) {
    const mark = /^\s{0,200}(?:>\s?){0,20}(`{3,}|~{3,})/.exec(line)?.[1];
    const isFence = mark !== undefined && (!fence || mark.startsWith(fence));
    if (/^\s{0,200}(?:[-*+]|\d{1,9}[.)])\s/.test(line)) isInList = true;
    else if (/^\S/.test(line)) isInList = false;
    const isIndented: boolean = mayBeCode && !isInList && /^(?: {4}|\t)/.test(line);
    if (isFence || fence || isIndented) {
      flush();
      out.push(line);
    } else prose.push(line);
    if (isFence) fence = fence ? "" : mark;
    mayBeCode = isIndented || line.trim() === "";
  }
  flush();
  return out.join("\n");
}

/** An inline code span, which stays as it is. */
const codeSpan = /(?<!`)(`+)(?!`)[^\n]{1,2000}?(?<!`)\1(?!`)/g;
/** Stands for the code span of this number while the text around it is rewritten. */
const kept = /\ue000(\d{1,9})\ue001/g;

function readableProse(prose: string): string {
  const spans: string[] = [];
  const hidden = prose.replace(/[\ue000\ue001]/g, "").replace(codeSpan, (span) => {
    spans.push(span);
    return `\ue000${spans.length - 1}\ue001`;
  });
  const text = withoutTags(withTables(without(hidden, "<!--", "-->")))
    .replace(/&(?!lt;)(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi, entity)
    .replace(/^[ \t]*\{%[^\n]{0,2000}%\}[ \t]*$/gm, titleOrAddress)
    .replace(/\]\(\{%[^\n{}"']{0,100}["']([^"'\s()]{1,500})["'][^\n{}]{0,100}%\}/g, "]($1")
    .replace(/^[ \t]*\{:[^{}\n]{0,500}\}[ \t]*$/gm, "")
    .replace(/^:{3,}(?:[ \t]*\w+)?[ \t]*([^\n]*)$/gm, "$1");
  return text.replace(kept, (_, at) => spans[Number(at)] ?? "");
}

/** A text without what stands between two marks, and without these; an opening mark without its end is text. */
function without(text: string, opening: string, closing: string): string {
  let out = "";
  let at = 0;
  for (;;) {
    const start = text.indexOf(opening, at);
    const end = start === -1 ? -1 : text.indexOf(closing, start + opening.length);
    if (end === -1) return out + text.slice(at);
    out += text.slice(at, start);
    at = end + closing.length;
  }
}

/** Writes tables of HTML as Markdown's. */
function withTables(text: string): string {
  const opening = /<table[\s>]/gi;
  let out = "";
  let at = 0;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const end = endOfTable(text, found.index);
    if (end === undefined) break;
    const table = parseMarkup(text.slice(found.index, end), { name: "" }).text;
    out += `${text.slice(at, found.index)}\n\n${table}\n\n`;
    at = end;
    opening.lastIndex = end;
  }
  return out + text.slice(at);
}

/** Where the table that starts here ends, with the tables inside it; undefined if it does not, or an unended comment hides its rest. */
function endOfTable(text: string, start: number): number | undefined {
  const tag = /<(?:(\/?)table[^<>]*>|(!--))/gi;
  tag.lastIndex = start;
  let open = 0;
  for (let found = tag.exec(text); found; found = tag.exec(text)) {
    if (found[2]) return undefined;
    open += found[1] ? -1 : 1;
    if (open === 0) return tag.lastIndex;
  }
  return undefined;
}

const inlineTags = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i img input ins kbd label mark picture q s samp small source span strike strong sub sup time tt u var video wbr".split(
    " ",
  ),
);
const blockTags = new Set(
  "article aside blockquote br center dd details div dl dt figcaption figure footer form header hr iframe li main nav ol p pre section summary ul".split(
    " ",
  ),
);

/** Removes HTML's tags and keeps what they show. Other angle brackets, such as those of a placeholder, are text. */
function withoutTags(text: string): string {
  const hrefs: string[] = [];
  return text
    .replace(
      /<(h[1-6]|summary)(?:\s[^<>]*)?>((?:(?!<\1[\s>])[\s\S]){0,1000}?)<\/\1\s*>/gi,
      (_, name, inner) => onItsOwn(name, oneLine(inner.replace(/<\/?(?:h[1-6]|p|div|br)\b[^<>]*>/gi, " "))),
    )
    .replace(/<(sup|sub|del|s|strike)(?:\s[^<>]*)?>([^<>\n]{1,500})<\/\1\s*>/gi, (_, name, inner, at, all) =>
      writeMarked(name.toLowerCase(), all.slice(Math.max(0, at - 1), at), inner),
    )
    .replace(/^[ \t]*\|[^\n]*$/gm, (row) => row.replace(/<\/?(?:br|p|ul|ol|li|div)\b[^<>]*>/gi, " "))
    .replace(/<(\/?)([a-z][a-z\d]*)(\s[^<>]*|\/)?>/gi, (tag, closing, written) => {
      const name = written.toLowerCase();
      if (name === "a") {
        if (!closing) hrefs.push(attribute(tag, "href"));
        const href = (closing ? hrefs.pop() : hrefs.at(-1)) ?? "";
        const isLink = /^[^\s()<>]+$/.test(href);
        return isLink ? (closing ? `](${href})` : "[") : "";
      }
      if (name === "img") return attribute(tag, "alt");
      if (name === "li") return closing ? "" : "\n- ";
      if (blockTags.has(name)) return "\n";
      return inlineTags.has(name) ? "" : tag;
    })
    .replace(/\n{3,}/g, "\n\n");
}

/** A heading, or the visible line of what a reader may fold away. */
function onItsOwn(name: string, words: string): string {
  if (!words) return "";
  const level = /\d/.exec(name)?.[0];
  return level ? `\n\n${"#".repeat(Number(level))} ${words}\n\n` : `\n\n**${words}**\n\n`;
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`[\\s{%]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i").exec(tag);
  return (value?.[1] ?? value?.[2] ?? "").trim();
}

/** What a template's tag shows: its title, or the address that it embeds. */
const titleOrAddress = (tag: string) =>
  attribute(tag, "title") || (/^\s*\{%\s*embed\b/.test(tag) ? attribute(tag, "url") : "");

/** A character for its entity; "<" keeps its own, because a tag could begin with it. */
const entity = (name: string) => decodeHTML(name).replace("<", "&lt;");
