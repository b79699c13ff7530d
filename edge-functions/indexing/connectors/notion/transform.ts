// Converts a page or a database of Notion to an item. Pure.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { markdownTable } from "../../../_shared/text/table-text.ts";
import type { SourceItem } from "../connector.ts";
import { asContent, joinBlocks, revisionOf, titleOf } from "../markup.ts";
import { type DataSource, identified, type NotionPage, page } from "./answers.ts";
import { gaps, markdownOfBlocks, type PageBlocks } from "./blocks.ts";
import { contents, type NotionConfig, type NotionContent } from "./declaration.ts";
import { objectOf, plainOf, richOf, titleIn, wordsOf } from "./rich-text.ts";

/** Notion's edit times are to the minute: until the minute is over, another edit may get the same time. */
const settlesMs = 2 * 60_000;

export const externalIdOf = (kind: NotionContent, id: string) => `${kind}/${id.toLowerCase()}`;

/** The kind and id in an external id, or undefined. @returns `key` for an attachment of the page with that id */
export function partsOfId(externalId: string): { kind: NotionContent; id: string; key?: string } | undefined {
  const [, kind, id, key] =
    /^([a-z]+)\/([0-9a-f-]{32,36})(?:\/(p?[0-9a-f-]{32,36}))?$/.exec(externalId) ?? [];
  if (!id || !contents.includes(kind as NotionContent)) return undefined;
  if ((kind === "attachments") !== (key !== undefined)) return undefined;
  // Checked by the line above.
  return { kind: kind as NotionContent, id, ...(key ? { key } : {}) };
}

type Trashable = Pick<NotionPage, "in_trash" | "archived" | "is_archived">;
export const isTrashed = ({ in_trash, archived, is_archived }: Trashable) =>
  in_trash === true || archived === true || is_archived === true;

/** @param reads the settings for reading pages: a change of them makes each page read again */
export function pageItem(found: NotionPage, reads?: Reads): SourceItem {
  return {
    externalId: externalIdOf("pages", found.id),
    title: titleOf(titleIn(found.properties), "Untitled"),
    ...(found.url ? { url: found.url } : {}),
    revision: pageRevision(found, undefined, reads),
    changedAt: found.last_edited_time,
  };
}

type Reads = Pick<NotionConfig, "content" | "withPictures">;

/** @param readAt by Notion's clock; a page edited just before is read once more @param reads set when its files were listed too */
export function pageRevision({ last_edited_time }: NotionPage, readAt?: number, reads?: Reads): string {
  const isSettled = readAt === undefined || readAt - Date.parse(last_edited_time) >= settlesMs;
  const files = reads?.content.includes("attachments") ? ["files"] : [];
  const pictures = files.length > 0 && reads?.withPictures ? ["pictures"] : [];
  return revisionOf([last_edited_time, ...(isSettled ? [] : ["unsettled"]), ...files, ...pictures].join(" "));
}

/** An item for a malformed page, so that it fails alone. Undefined without even an id, and for anything but a page. */
export function damagedItem(raw: unknown): SourceItem | undefined {
  const found = identified.safeParse(raw).data;
  if (found?.object !== "page") return undefined;
  return {
    externalId: externalIdOf("pages", found.id),
    title: "Untitled",
    revision: revisionOf(JSON.stringify(raw)),
  };
}

/** The database that tells how a page's numbers are shown; undefined for a page without any. */
export const databaseOfNumbers = ({ parent, properties }: NotionPage): string | undefined =>
  Object.values(properties ?? {}).some((one) => typeof objectOf(one).number === "number")
    ? (parent?.data_source_id ?? undefined)
    : undefined;

/** For a linked view of a database elsewhere. */
export const hiddenDatabase = sentenceOf("notionHidden");

const gapNotes: Record<(typeof gaps)[number], string> = {
  cut: sentenceOf("notionCut"),
  damaged: sentenceOf("notionBlocks"),
  hidden: sentenceOf("notionSynced"),
  unsupported: sentenceOf("notionUnsupported"),
};

/**
 * A page's text: its title, properties and blocks, with a note on what is missing.
 * @param columns the properties of the database that the page is a row of
 */
export function pageContent(
  found: NotionPage,
  { nodes, gaps: lacking }: PageBlocks,
  columns?: DataSource["properties"],
): { text: string; note?: string } {
  const facts = Object.entries(found.properties ?? {}).flatMap(([name, property]) => {
    const value = objectOf(property).type === "title" ? "" : wordsOf(property, columns?.[name]);
    return value === "" ? [] : [`${name.replace(/\s+/g, " ").trim()}: ${value}`];
  });
  const text = joinBlocks(
    `# ${titleOf(titleIn(found.properties), "Untitled")}`,
    [...facts, `Changed: ${found.last_edited_time.slice(0, 10)}`].join("\n"),
    markdownOfBlocks(nodes),
    lacking.has("cut") ? "This page goes on in Notion. The rest has not been read." : "",
  );
  const gravest = gaps.find((one) => lacking.has(one));
  const { text: content, note: cut } = asContent(text);
  const note = gravest ? gapNotes[gravest] : cut;
  return { text: content, ...(note ? { note } : {}) };
}

const rowsCut = sentenceOf("notionRows");
const rowsDamaged = sentenceOf("notionRowsForm");

/** A database with its rows as one table. */
export function databaseItem(
  found: DataSource,
  rows: unknown[],
  isCut: boolean,
): SourceItem & { text: string } {
  const title = titleOf(plainOf(found.title), "Untitled");
  const columns = Object.entries(found.properties ?? {});
  const isTitle = ([, one]: [string, unknown]) => objectOf(one).type === "title";
  const names = [...columns.filter(isTitle), ...columns.filter((one) => !isTitle(one))].map(([name]) => name);
  const read = rows.flatMap((raw) => page.safeParse(raw).data ?? []);
  const cells = read
    .filter((row) => !isTrashed(row))
    .map((row) => names.map((name) => wordsOf(row.properties?.[name], found.properties?.[name])));
  // Leaves out empty columns.
  const filled = names.map((_name, at) => cells.some((row) => row[at] !== ""));
  const keepFilled = <T>(row: T[]) => row.filter((_cell, at) => filled[at]);
  const content = joinBlocks(
    `# ${title}`,
    richOf(found.description),
    filled.includes(true)
      ? markdownTable(keepFilled(names), cells.map(keepFilled))
      : "This database has no rows with values.",
    isCut ? "This database goes on in Notion. The other rows have not been read." : "",
  );
  return {
    externalId: externalIdOf("databases", found.id),
    title,
    ...(found.url ? { url: found.url } : {}),
    ...asContent(content),
    ...(isCut ? { note: rowsCut } : read.length < rows.length ? { note: rowsDamaged } : {}),
  };
}
