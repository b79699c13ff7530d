// Converts a page or an attachment of Confluence to an item. Pure.
import type { PageNote, SourceItem } from "../connector.ts";
import { asContent, type Content, joinBlocks, markdownOfHtml, revisionOf, titleOf } from "../markup.ts";
import { kindProblem, mostFileBytes, tooLargeFile } from "../readable.ts";
import { type Attachment, identified, type Page } from "./answers.ts";
import { type ConfluenceConfig, type ConfluenceContent, contents } from "./declaration.ts";
import { htmlOfStorage } from "./storage.ts";

export const externalIdOf = (kind: ConfluenceContent, id: string) => `${kind}/${id}`;

/** The kind and id in an external id, or undefined. */
export function partsOfId(externalId: string): { kind: ConfluenceContent; id: string } | undefined {
  const [, kind, id] = /^([a-z]+)\/((?:att)?[0-9]{1,20})$/.exec(externalId) ?? [];
  if (!id || !contents.includes(kind as ConfluenceContent)) return undefined;
  // Checked by the line above.
  return { kind: kind as ConfluenceContent, id };
}

/** The URL for a path from Confluence; undefined when it leads off the site. */
function urlOf(site: string, path: string | null | undefined): { url?: string } {
  const url = path?.startsWith("/") ? URL.parse(`${site}/wiki${path}`) : null;
  return url && url.origin === site ? { url: url.href } : {};
}

export const isCurrent = ({ status }: { status?: string | null | undefined }) =>
  (status ?? "current") === "current";

/** Names by account id. */
export type Names = ReadonlyMap<string, string>;

/** The users mentioned in some pages. */
export const findMentions = (pages: Page[]): string[] => [
  ...new Set(
    pages.flatMap(({ body }) =>
      [...(body?.storage?.value ?? "").matchAll(/ri:account-id="([^"<>&\s]{1,128})"/g)].map(
        ([, id = ""]) => id,
      ),
    ),
  ),
];

/** Includes the text if Confluence sent it in a form that we read; otherwise the page is fetched, and fails alone. */
export function pageItem(site: string, kind: "pages" | "posts", found: Page, names?: Names): SourceItem {
  const text = pageText(found, names);
  return {
    externalId: externalIdOf(kind, found.id),
    title: titleOf(found.title ?? "", "Untitled"),
    ...urlOf(site, found._links?.webui),
    changedAt: found.version.createdAt,
    ...(text ?? { revision: revisionOf(`${found.version.createdAt} ${found.version.number ?? ""}`) }),
  };
}

/** Undefined without a body that can be read. */
export function pageText(found: Page, names?: Names): Content | undefined {
  const storage = found.body?.storage?.value;
  if (storage === undefined) return undefined;
  const title = titleOf(found.title ?? "", "Untitled");
  try {
    const body = markdownOfHtml(
      htmlOfStorage(storage, (account) => names?.get(account) ?? ""),
      title,
    );
    return asContent(joinBlocks(`# ${title}`, `Changed: ${found.version.createdAt.slice(0, 10)}`, body));
  } catch {
    return undefined;
  }
}

/** Returns a readable attachment as an item, or a note on why it is left out. */
export function attachmentItem(
  { site, withPictures }: Pick<ConfluenceConfig, "site" | "withPictures">,
  found: Attachment,
): { item: SourceItem; note?: never } | { note: PageNote & { problem: string }; item?: never } {
  const title = titleOf(found.title ?? "", found.id);
  const place = urlOf(site, found.webuiLink);
  const address = (place.url ?? `${site}/wiki/#${found.id}`).slice(0, 500);
  const problem =
    kindProblem(title, found.mediaType ?? "", withPictures) ??
    ((found.fileSize ?? 0) > mostFileBytes ? tooLargeFile : undefined);
  if (problem) return { note: { address, title, problem } };
  const { createdAt, number } = found.version;
  const revision = revisionOf(`${createdAt} ${number ?? ""}`);
  const externalId = externalIdOf("attachments", found.id);
  return { item: { externalId, title, ...place, revision, changedAt: createdAt } };
}

/** An item for a malformed object, so that it fails alone. Undefined without even an id. */
export function damagedItem(kind: ConfluenceContent, raw: unknown): SourceItem | undefined {
  const found = identified.safeParse(raw).data;
  if (!found) return undefined;
  return {
    externalId: externalIdOf(kind, found.id),
    title: titleOf(found.title ?? "", "Untitled"),
    revision: revisionOf(JSON.stringify(raw)),
  };
}
