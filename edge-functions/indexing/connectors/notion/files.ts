// Finds the files in a page's blocks and properties, hosted by Notion or elsewhere, and decides which are read. Pure. Source:
// developers.notion.com/reference/file-object.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import type { PageNote, SourceItem } from "../connector.ts";
import { nameIn, revisionOf, titleOf } from "../markup.ts";
import { isPicture, kindProblem } from "../readable.ts";
import type { Block, NotionPage } from "./answers.ts";
import type { BlockNode } from "./blocks.ts";
import { objectOf } from "./rich-text.ts";

export interface NotionFile {
  /** The id of its block; for a property, a hash in a form that no block id has. */
  key: string;
  name: string;
  isPicture: boolean;
  /** Absent when there is no URL that can be called. Notion's own URLs expire after an hour. */
  url?: URL;
  revision: string;
}

const types = new Set(["file", "pdf", "image", "video", "audio"]);

/** Each file once, in reading order. */
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
    // For PDFs and pictures, the block's type tells the format.
    name: type === "pdf" && !/\.pdf$/i.test(name) ? `${name}.pdf` : name,
    isPicture: isPicture(name) || (type === "image" && !/\.[a-z]{3,4}$/i.test(name)),
    ...(place ? { url: place.url } : {}),
    revision: revisionOf(`${String(edited)} ${place?.steady ?? ""}`),
  };
}

/** A property's files have no id or time of their own, but Notion's storage path changes with the content. */
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

/** A file's URL, and the part of it that stays the same while the file does: Notion signs its URLs anew each time. */
function placeOf(said: Record<string, unknown>): { url: URL; steady: string } | undefined {
  const hosted = objectOf(said.file).url;
  const address = hosted ?? objectOf(said.external).url;
  const url = typeof address === "string" ? URL.parse(address) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return { url, steady: hosted === undefined ? url.href : `${url.origin}${url.pathname}` };
}

/** A page's URL in Notion, which does not depend on its title. */
export const addressOf = (pageId: string) => `https://www.notion.so/${pageId.replaceAll("-", "")}`;

export const picturesLeftOut = (count: number): string => sentenceOf("notionPictures", { count });

/** Returns a readable file as an item, or a note on why it is left out. Undefined for a picture when pictures are not read. */
export function fileItem(
  pageId: string,
  { key, name, isPicture: isOne, url, revision }: NotionFile,
  withPictures: boolean,
): { item?: SourceItem; note?: PageNote } | undefined {
  if (isOne && !withPictures) return undefined;
  const address = `${addressOf(pageId)}#${key.replaceAll("-", "")}`;
  const note = { address: address.slice(0, 500), title: name };
  if (!url) return { note: { ...note, problem: sentenceOf("notionForm") } };
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
