// Converts the Atlassian Document Format to Markdown. Accepts any JSON. Pure. Source:
// developer.atlassian.com/cloud/jira/platform/apis/document/structure.
import { fence, markdownOfGrid } from "../markup.ts";

interface Node {
  type: string;
  text: string;
  attrs: Record<string, unknown>;
  marks: Node[];
  content: Node[];
}

/** Deeper than any document that people write; below it only the words are kept. */
const deepest = 60;

export function markdownOfAdf(document: unknown): string {
  if (typeof document === "string") return document;
  const root = nodeOf(document, 0);
  return root ? blocks(root.content.length > 0 ? root.content : [root]) : "";
}

/** The node in any JSON value, or undefined. */
function nodeOf(value: unknown, depth: number): Node | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { type, text, attrs, marks, content } = value as Record<string, unknown>;
  const list = (from: unknown): Node[] =>
    Array.isArray(from) ? from.flatMap((one) => nodeOf(one, depth + 1) ?? []) : [];
  if (depth >= deepest) return { type: "text", text: wordsOf(value), attrs: {}, marks: [], content: [] };
  return {
    type: typeof type === "string" ? type : "",
    text: typeof text === "string" ? text : "",
    attrs: typeof attrs === "object" && attrs !== null ? (attrs as Record<string, unknown>) : {},
    marks: list(marks),
    content: list(content),
  };
}

/** The words below a value, however deep: without recursion. */
function wordsOf(value: unknown): string {
  const words: string[] = [];
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const one = stack.pop();
    if (Array.isArray(one)) for (const child of [...one].reverse()) stack.push(child);
    else if (typeof one === "object" && one !== null) {
      const { text, content } = one as Record<string, unknown>;
      if (typeof text === "string") words.push(text);
      stack.push(content);
    }
  }
  return words.join(" ");
}

function blocks(nodes: Node[], separator = "\n\n"): string {
  const parts: string[] = [];
  let line = "";
  for (const node of nodes) {
    if (isInline(node)) {
      line += inline(node);
      continue;
    }
    parts.push(line.trim(), block(node));
    line = "";
  }
  return [...parts, line.trim()].filter((part) => part !== "").join(separator);
}

function block(node: Node): string {
  switch (node.type) {
    case "heading":
      return `${"#".repeat(level(node.attrs.level))} ${line(node)}`;
    case "bulletList":
    case "taskList":
    case "decisionList":
      return node.content.map((item) => listItem("-", item)).join("\n");
    case "orderedList": {
      const first = typeof node.attrs.order === "number" ? node.attrs.order : 1;
      return node.content.map((item, index) => listItem(`${first + index}.`, item)).join("\n");
    }
    case "codeBlock": {
      const code = node.content.map(({ text }) => text).join("");
      const ticks = fence(code);
      return `${ticks}\n${code}\n${ticks}`;
    }
    case "blockquote":
      return quoteLines(blocks(node.content));
    case "table":
      return table(node);
    case "rule":
      return "---";
    case "blockCard":
    case "embedCard":
      return word(node.attrs.url);
    case "expand":
    case "nestedExpand":
      return [word(node.attrs.title), blocks(node.content)].filter(Boolean).join("\n\n");
    default:
      return node.content.length > 0 ? blocks(node.content) : node.text;
  }
}

function listItem(mark: string, item: Node): string {
  const done = item.type === "taskItem" ? `[${item.attrs.state === "DONE" ? "x" : " "}] ` : "";
  // Indents an item's content below its mark.
  return `${mark} ${done}${blocks(item.content, "\n").replaceAll("\n", "\n  ")}`;
}

function table(node: Node): string {
  return markdownOfGrid(
    node.content.map((row) =>
      row.content.map(({ type, content, attrs }) => ({
        text: blocks(content, " "),
        isHeader: type === "tableHeader",
        columns: spanOf(attrs.colspan),
        rows: spanOf(attrs.rowspan),
      })),
    ),
  );
}

const spanOf = (span: unknown) => (typeof span === "number" && span >= 1 ? Math.trunc(span) : 1);

const inlineTypes = new Set(
  "text hardBreak mention emoji inlineCard date status placeholder mediaInline inlineExtension".split(" "),
);
const isInline = ({ type }: Node) => inlineTypes.has(type);

const line = (node: Node) => blocks(node.content, " ").replace(/\s+/g, " ");

function inline(node: Node): string {
  switch (node.type) {
    case "hardBreak":
      return "\n";
    case "mention":
    case "emoji":
      return word(node.attrs.text) || word(node.attrs.shortName);
    case "status":
      return word(node.attrs.text);
    case "inlineCard":
      return word(node.attrs.url);
    case "date":
      return dateOf(node.attrs.timestamp);
    default:
      return applyMarks(node);
  }
}

function applyMarks({ text, marks }: Node): string {
  const link = marks.find(({ type }) => type === "link");
  const href = word(link?.attrs.href);
  if (marks.some(({ type }) => type === "code")) return `\`${text}\``;
  return href && href !== text ? `${text} (${href})` : text;
}

const quoteLines = (text: string) => text.replace(/^/gm, "> ");
const word = (value: unknown) => (typeof value === "string" ? value : "");
const level = (value: unknown) =>
  typeof value === "number" && value >= 1 && value <= 6 ? Math.trunc(value) : 1;

/** ADF dates are milliseconds in a string. */
function dateOf(value: unknown): string {
  const moment = new Date(Number(value));
  return value === undefined || Number.isNaN(moment.getTime()) ? "" : moment.toISOString().slice(0, 10);
}
