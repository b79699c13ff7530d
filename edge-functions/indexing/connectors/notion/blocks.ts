// Converts a page's blocks to Markdown. Accepts any block: an unknown one yields its text. Pure. Source:
// developers.notion.com/reference/block.
import { fence, markdownOfGrid } from "../markup.ts";
import type { Block } from "./answers.ts";
import { objectOf, plainOf, richOf } from "./rich-text.ts";

/** A block with its children, as far as they were read. */
export interface BlockNode {
  block: Block;
  children: BlockNode[];
}

/** Why blocks of a page are missing, the most serious reason first. */
export const gaps = ["cut", "damaged", "hidden", "unsupported"] as const;
export interface PageBlocks {
  nodes: BlockNode[];
  gaps: ReadonlySet<(typeof gaps)[number]>;
}

export const markdownOfBlocks = (nodes: BlockNode[]): string => blocks(nodes).join("\n\n");

const bulleted = new Set(["bulleted_list_item", "to_do", "numbered_list_item"]);

/** The blocks as Markdown. Consecutive list items form one block. */
function blocks(nodes: BlockNode[]): string[] {
  const parts: string[] = [];
  let list: string[] = [];
  let count = 0;
  const end = () => {
    if (list.length > 0) parts.push(list.join("\n"));
    list = [];
    count = 0;
  };
  for (const node of nodes) {
    const { type } = node.block;
    if (!bulleted.has(type)) {
      end();
      parts.push(...oneBlock(node));
      continue;
    }
    count = type === "numbered_list_item" ? count + 1 : 0;
    list.push(listItem(node, count));
  }
  end();
  return parts.filter((part) => part.trim() !== "");
}

function listItem({ block, children }: BlockNode, count: number): string {
  const said = objectOf(block[block.type]);
  const done = block.type === "to_do" ? `[${said.checked === true ? "x" : " "}] ` : "";
  const mark = count > 0 ? `${count}.` : "-";
  const below = blocks(children).join("\n");
  const text = [richOf(said.rich_text).trim(), below].filter(Boolean).join("\n");
  return `${mark} ${done}${text.replaceAll("\n", "\n  ")}`;
}

function oneBlock({ block, children }: BlockNode): string[] {
  const { type } = block;
  const said = objectOf(block[type]);
  const text = richOf(said.rich_text).trim();
  const below = () => blocks(children);
  const heading = /^heading_([1-6])$/.exec(type)?.[1];
  if (heading) return [`${"#".repeat(Number(heading))} ${text.replace(/\s+/g, " ")}`, ...below()];
  switch (type) {
    case "code": {
      const code = plainOf(said.rich_text);
      const ticks = fence(code);
      const language =
        typeof said.language === "string" && said.language !== "plain text" ? said.language : "";
      return [`${ticks}${language.replace(/[^\w+#-]/g, "")}\n${code}\n${ticks}`, richOf(said.caption)];
    }
    case "quote":
    case "callout":
      return [[text, ...below()].filter(Boolean).join("\n\n").replace(/^/gm, "> ")];
    case "equation":
      return [typeof said.expression === "string" ? said.expression : ""];
    case "divider":
      return ["---"];
    case "table":
      return [table(children, said.has_column_header !== false)];
    // Documents of their own: only the title is shown here.
    case "child_page":
    case "child_database":
      return [typeof said.title === "string" ? said.title : ""];
    case "table_of_contents":
    case "breadcrumb":
      return [];
    case "bookmark":
    case "embed":
    case "link_preview":
    case "image":
    case "video":
    case "audio":
    case "file":
    case "pdf":
      return [writeLink(said)];
    case "meeting_notes":
    case "transcription":
      return [richOf(said.title), ...below()];
    default:
      // Paragraphs, toggles, columns, tabs, synced blocks, and types that Notion adds later.
      return [text, ...below()];
  }
}

/** A linked object: its name or caption, and its URL if that is permanent. Notion's own URLs expire after an hour. */
function writeLink(said: Record<string, unknown>): string {
  const { url, caption, name, external } = said;
  const address = [url, objectOf(external).url].find(
    (one) => typeof one === "string" && /^https?:/.test(one),
  );
  const words = richOf(caption).trim() || (typeof name === "string" ? name.trim() : "");
  if (typeof address !== "string" || address === words) return words;
  return words === "" ? address : `${words} (${address})`;
}

function table(rows: BlockNode[], hasHeader: boolean): string {
  const cells = rows
    .filter(({ block }) => block.type === "table_row")
    .map(({ block }) => {
      const row = objectOf(block.table_row).cells;
      return Array.isArray(row) ? row.map((cell) => richOf(cell)) : [];
    });
  return markdownOfGrid(
    cells.map((row, at) => row.map((text) => ({ text, isHeader: hasHeader && at === 0 }))),
  );
}
