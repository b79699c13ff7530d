// Reads pages, blog posts and attachments of Confluence Cloud. Read-only. Finds changes by the time of the last change, and
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
import { attachment, page } from "./answers.ts";
import { type Confluence, confluenceOf, nothingShown } from "./api.ts";
import { type ConfluenceContent, declaration } from "./declaration.ts";
import { containerOf, coveredSpaces, isKey, isOnReadPage, listPage } from "./listing.ts";
import { attachmentItem, findMentions, isCurrent, pageText, partsOfId } from "./transform.ts";

/** Two calls each while a person waits. */
const mostPreviewed = 10;

export const confluence: Connector = {
  declaration,

  list: (context, position) => listPage(confluenceOf(context), position),

  async fetch(context, externalId) {
    const api = confluenceOf(context);
    const parts = partsOfId(externalId);
    if (!parts || !api.config.content.includes(parts.kind))
      throw new ItemGone("the source does not read this");
    const { spaceIds } = await coveredSpaces(api);
    return parts.kind === "attachments"
      ? await fetchAttachment(api, parts.id, spaceIds)
      : await fetchPage(api, parts.kind, parts.id, spaceIds);
  },

  async preview(context: ConnectorContext): Promise<PreviewLine[]> {
    const api = confluenceOf(context);
    const { spaces: keys, content } = api.config;
    const spaces = await api.spaces(keys);
    const missing = keys.filter((key) => !spaces.some((space) => isKey(space.key, key)));
    const [first = "pages"] = content;
    const lines: PreviewLine[] = missing.map((key) => ({
      kind: first,
      name: key,
      problem: sentenceOf("confluenceMissing", { space: key }),
    }));
    if (spaces.length === 0 && keys.length === 0) return [{ kind: first, count: 0, problem: nothingShown }];
    for (const [at, { id, key, name }] of spaces.entries()) {
      const about = name ? `${titleOf(name, key)} (${key})` : key;
      for (const kind of (["pages", "posts"] as const).filter((one) => content.includes(one))) {
        const count = at < mostPreviewed ? await api.count(kind, id) : undefined;
        lines.push({ kind, name: about, ...(count === undefined ? {} : { count }) });
      }
    }
    if (content.includes("attachments") && spaces.length > 0) lines.push({ kind: "attachments" });
    return lines;
  },
};

async function fetchPage(
  api: Confluence,
  kind: Exclude<ConfluenceContent, "attachments">,
  id: string,
  spaceIds: string[],
) {
  const found = page.safeParse(await api.one(kind, id)).data;
  if (!found) throw new ItemUnreadable(sentenceOf("confluenceForm"));
  if (!isCurrent(found)) throw new ItemGone("the page is in the trash or the archive");
  if (spaceIds.length > 0 && !spaceIds.includes(found.spaceId))
    throw new ItemGone("the page is in another space");
  const text = pageText(found, await api.names(findMentions([found])));
  if (!text) throw new ItemUnreadable(sentenceOf("confluenceForm"));
  return { ...text, changedAt: found.version.createdAt };
}

async function fetchAttachment(api: Confluence, id: string, spaceIds: string[]) {
  const found = attachment.safeParse(await api.one("attachments", id)).data;
  if (!found) throw new ItemUnreadable(sentenceOf("confluenceForm"));
  const container = containerOf(found);
  if (!container || !isCurrent(found) || !(await isOnReadPage(api, found, spaceIds)))
    throw new ItemGone("the file is in the trash, or on a page that the source does not read");
  const { item, note } = attachmentItem(api.config, found);
  if (note) throw new ItemUnreadable(note.problem);
  return {
    bytes: await api.bytes(id, container.id),
    name: titleOf(found.title ?? "", id),
    ...(found.mediaType ? { contentType: found.mediaType } : {}),
    revision: item.revision,
    changedAt: found.version.createdAt,
  };
}
