// The files of a page, in its blocks and in its properties, hosted by Notion or elsewhere, and what of them is read. Pure.
// Source: developers.notion.com/reference/file-object.
import type { PageNote, SourceItem } from "../connector.ts";
import { revisionOf, titleOf } from "../markup.ts";
import { isPicture, kindProblem } from "../readable.ts";
import type { Block, NotionPage } from "./answers.ts";
import type { BlockNode } from "./blocks.ts";
import { objectOf } from "./rich-text.ts";

export interface NotionFile {
  /** Its block's id; of a property a hash, which no block's id looks like. */
  key: string;
  name: string;
  isPicture: boolean;
  /** Notion's own end after an hour. Absent where Notion gives none that can be called. */
  url?: URL;
  revision: string;
}

const types = new Set(["file", "pdf", "image", "video", "audio"]);

/** Each once, in the order in which a reader meets them. */
export function filesOf(found: NotionPage, nodes: readonly BlockNode[]): NotionFile[] {
  const files = Object.entries(found.properties ?? {}).flatMap(([name, property]) =>
    inProperty(name, property),
  );
  const waiting = [...nodes];
  for (let node = waiting.shift(); node; node = waiting.shift()) {
    if (types.has(node.block.type)) files.push(ofBlock(node.block));
    waiting.unshift(...node.children);
  }
  return [...new Map(files.map((file) => [file.key, file])).values()];
}

function ofBlock(block: Block): NotionFile {
  const { type, id, last_edited_time: edited } = block;
  const said = objectOf(block[type]);
  const place = placeOf(said);
  const given = typeof said.name === "string" ? said.name : "";
  const name = titleOf(given || nameIn(place?.url), "Untitled");
  return {
    key: id.toLowerCase(),
    // Of a PDF and of a picture the block's type says what they are.
    name: type === "pdf" && !/\.pdf$/i.test(name) ? `${name}.pdf` : name,
    isPicture: isPicture(name) || (type === "image" && !/\.[a-z]{3,4}$/i.test(name)),
    ...(place ? { url: place.url } : {}),
    revision: revisionOf(`${String(edited)} ${place?.steady ?? ""}`),
  };
}

/** A property's files have no id and no time of their own: where Notion keeps a file changes with its content. */
function inProperty(property: string, value: unknown): NotionFile[] {
  const { type, files } = objectOf(value);
  if (type !== "files" || !Array.isArray(files)) return [];
  return files.map((raw) => {
    const said = objectOf(raw);
    const place = placeOf(said);
    const name = titleOf((typeof said.name === "string" ? said.name : "") || nameIn(place?.url), "Untitled");
    const revision = revisionOf(`${property} ${place?.steady ?? name}`);
    return {
      key: `p${revision.slice(0, 32)}`,
      name,
      isPicture: isPicture(name),
      ...(place ? { url: place.url } : {}),
      revision,
    };
  });
}

/** Where a file is, and the part of its address that stays while the file does: Notion signs its own anew each time. */
function placeOf(said: Record<string, unknown>): { url: URL; steady: string } | undefined {
  const hosted = objectOf(said.file).url;
  const address = hosted ?? objectOf(said.external).url;
  const url = typeof address === "string" ? URL.parse(address) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return { url, steady: hosted === undefined ? url.href : `${url.origin}${url.pathname}` };
}

function nameIn(url: URL | undefined): string {
  const last = url?.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Where a page stands in Notion, whatever it is called. */
export const addressOf = (pageId: string) => `https://www.notion.so/${pageId.replaceAll("-", "")}`;

export const picturesLeftOut = (count: number): string =>
  `Pictures on this page are not read: ${count}. Turn on “Read pictures” in the source's settings to have a model read them.`;

/** What of a page's file is read: an item, or why it is not. Undefined for a picture where pictures are not read. */
export function fileItem(
  pageId: string,
  { key, name, isPicture: isOne, url, revision }: NotionFile,
  withPictures: boolean,
): { item?: SourceItem; note?: PageNote } | undefined {
  if (isOne && !withPictures) return undefined;
  const address = `${addressOf(pageId)}#${key.replaceAll("-", "")}`;
  const note = { address: address.slice(0, 500), title: name };
  if (!url) return { note: { ...note, problem: "Notion sent this in a form that cannot be read." } };
  const problem = isOne ? undefined : kindProblem(name, "", withPictures);
  if (problem) return { note: { ...note, problem } };
  return {
    item: {
      externalId: `attachments/${pageId.toLowerCase()}/${key}`,
      title: name,
      url: address,
      revision,
    },
  };
}
