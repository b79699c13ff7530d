// Reads pages and databases of Notion that its users gave a connection access to. Read-only. Finds changes by the last edit, and
// deletions by listing everything and asking for what the lists left out.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
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

/** One call each while a person waits: further ones are not counted. */
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
  if (!found) throw new ItemUnreadable(sentenceOf("notionForm"));
  if (isTrashed(found)) throw new ItemGone("the page is in the trash");
  const content = pageContent(found, await api.blocks(id), await api.columnsOf(found));
  return { ...content, revision: pageRevision(found, askedAt) };
}

/** Fetches a file of a page. Requests its URL anew, since Notion's own URLs expire after an hour. */
async function fetchFile(api: Notion, pageId: string, key: string) {
  const found = page.safeParse((await api.page(pageId)).found).data;
  if (!found) throw new ItemUnreadable(sentenceOf("notionForm"));
  if (isTrashed(found)) throw new ItemGone("the page is in the trash");
  const one = key.startsWith("p") ? undefined : block.safeParse(await api.block(key)).data;
  const isGone = one?.in_trash === true || one?.archived === true;
  const file = filesOf(found, one && !isGone ? [{ block: one, children: [] }] : []).find(
    (of) => of.key === key,
  );
  if (!file) throw new ItemGone("the page has no such file");
  if (!file.url) throw new ItemUnreadable(sentenceOf("notionForm"));
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
  if (!found) throw new ItemUnreadable(sentenceOf("notionForm"));
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
