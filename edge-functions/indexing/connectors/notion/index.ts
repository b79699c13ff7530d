// Pages and databases of Notion that its people gave a connection. Read-only; changes are found by the last edit, what is gone by
// listing all and asking for what was not named.
import {
  type Connector,
  type ConnectorContext,
  ItemGone,
  ItemUnreadable,
  type PreviewLine,
} from "../connector.ts";
import { titleOf } from "../markup.ts";
import { block, dataSource, page } from "./answers.ts";
import { CommentsRefused, type Notion, noPage, notionOf } from "./api.ts";
import { commentsItem, pageOfComments } from "./comments.ts";
import { declaration, type NotionContent } from "./declaration.ts";
import { filesOf } from "./files.ts";
import { listPage } from "./listing.ts";
import { titleIn } from "./rich-text.ts";
import { databaseItem, isTrashed, pageContent, pageRevision, partsOfId } from "./transform.ts";

/** A call each, and somebody waits: more are not counted. */
const mostCounted = 5;

export const notion: Connector = {
  declaration,

  list: (context, position) => listPage(notionOf(context), context, position),

  async fetch(context, externalId) {
    const api = notionOf(context);
    const commented = pageOfComments(externalId);
    if (commented) return await fetchComments(api, commented);
    const parts = partsOfId(externalId);
    if (!parts || !api.config.content.includes(parts.kind))
      throw new ItemGone("the source does not read this");
    if (parts.key) return await fetchFile(api, parts.id, parts.key);
    return parts.kind === "pages" ? await fetchPage(api, parts.id) : await fetchDatabase(api, parts.id);
  },

  async preview(context: ConnectorContext): Promise<PreviewLine[]> {
    const api = notionOf(context);
    const lines: PreviewLine[] = [];
    for (const kind of (["pages", "databases"] as const).filter((one) => api.config.content.includes(one)))
      lines.push(await previewLine(api, kind));
    if (lines.every(({ count }) => count === 0)) return lines.map((line) => ({ ...line, problem: noPage }));
    return lines;
  },
};

async function fetchPage(api: Notion, id: string) {
  const { found: raw, askedAt } = await api.page(id);
  const found = page.safeParse(raw).data;
  if (!found) throw new ItemUnreadable("Notion sent this in a form that cannot be read.");
  if (isTrashed(found)) throw new ItemGone("the page is in the trash");
  return { ...pageContent(found, await api.blocks(id)), revision: pageRevision(found, askedAt) };
}

/** A file of a page, whose address is asked for anew: Notion's own end after an hour. */
async function fetchFile(api: Notion, pageId: string, key: string) {
  const found = page.safeParse((await api.page(pageId)).found).data;
  if (!found) throw new ItemUnreadable("Notion sent this in a form that cannot be read.");
  if (isTrashed(found)) throw new ItemGone("the page is in the trash");
  const one = key.startsWith("p") ? undefined : block.safeParse(await api.block(key)).data;
  const isGone = one?.in_trash === true || one?.archived === true;
  const file = filesOf(found, one && !isGone ? [{ block: one, children: [] }] : []).find(
    (of) => of.key === key,
  );
  if (!file) throw new ItemGone("the page has no such file");
  if (!file.url) throw new ItemUnreadable("Notion sent this in a form that cannot be read.");
  return { bytes: await api.file(file.url), name: file.name, revision: file.revision };
}

async function fetchComments(api: Notion, pageId: string) {
  if (!api.config.withComments) throw new ItemGone("the source does not read this");
  const found = page.safeParse((await api.page(pageId)).found).data;
  if (found && isTrashed(found)) throw new ItemGone("the page is in the trash");
  const comments = await api.comments(pageId).catch((error) => {
    throw error instanceof CommentsRefused ? new ItemGone("the connection may not read comments") : error;
  });
  const item = commentsItem(pageId, titleOf(titleIn(found?.properties), "Untitled"), comments);
  if (!item) throw new ItemGone("the page has no comments");
  return item;
}

async function fetchDatabase(api: Notion, id: string) {
  const found = dataSource.safeParse(await api.dataSource(id)).data;
  if (!found) throw new ItemUnreadable("Notion sent this in a form that cannot be read.");
  if (isTrashed(found)) throw new ItemGone("the database is in the trash");
  const { rows, isCut } = await api.rows(id);
  const { text, revision, note } = databaseItem(found, rows, isCut);
  return { text, revision, ...(note ? { note } : {}) };
}

async function previewLine(api: Notion, kind: NotionContent): Promise<PreviewLine> {
  let count = 0;
  let after: string | undefined;
  for (let call = 0; call < mostCounted; call++) {
    const found = await api.search(kind === "pages" ? "page" : "data_source", "descending", after);
    count += found.results.length;
    after = found.next;
    if (!after) return { kind, count };
  }
  return { kind };
}
