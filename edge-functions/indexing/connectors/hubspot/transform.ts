// Converts a HubSpot record or article to an item. Pure.
import { z } from "zod";
import { type SourceItem, unknownRevision } from "../connector.ts";
import { asContent, joinBlocks, markdownOfHtml, revisionOf, titleOf } from "../markup.ts";
import { type CrmObject, recordKinds } from "./records.ts";

const record = z.object({
  id: z.string().min(1).max(200),
  properties: z.record(z.string(), z.string().nullable()),
  archived: z.boolean().optional(),
  updatedAt: z.string().optional(),
});
export type HubspotRecord = z.infer<typeof record>;

export function parseRecord(raw: unknown): HubspotRecord | undefined {
  return record.safeParse(raw).data;
}

export const externalIdOf = (object: CrmObject | "articles", id: string) => `${object}/${id}`;

/** The kind and id in an external id, or undefined. */
export function partsOfId(externalId: string): { object: CrmObject | "articles"; id: string } | undefined {
  const [, object = "", id = ""] = /^(\w+)\/([\w-]{1,200})$/.exec(externalId) ?? [];
  if (object !== "articles" && !Object.hasOwn(recordKinds, object)) return undefined;
  // Checked by the line above.
  return { object: object as CrmObject | "articles", id };
}

export function itemOf(
  object: CrmObject,
  record: HubspotRecord,
  { account, labels }: { account?: string | undefined; labels: Map<string, string> },
): SourceItem & { text: string } {
  const { id, properties } = record;
  const kind = recordKinds[object];
  const changedAt = changeOf(object, record);
  const value = (name: string) => properties[name]?.trim() ?? "";
  const legible = (property: string) =>
    (kind.inPipelines?.includes(property) ? labels.get(value(property)) : undefined) ??
    dayOf(value(property));
  const name = kind.title.map((names) => names.map(value).filter(Boolean).join(" ")).find(Boolean);
  const bodies = kind.bodies.map((property) => proseOf(value(property)));
  const title = titleOf(name ?? bodies.join(" ").slice(0, 80), `${object} ${id}`);
  const facts = Object.entries(kind.facts).flatMap(([property, word]) =>
    value(property) ? [`${word}: ${legible(property)}`] : [],
  );
  return {
    externalId: externalIdOf(object, id),
    title,
    ...(account ? { url: `https://app.hubspot.com/contacts/${account}/record/${kind.typeId}/${id}` } : {}),
    ...(changedAt ? { changedAt } : {}),
    ...asContent(joinBlocks(`# ${title}`, facts.join("\n"), ...bodies)),
  };
}

export function articleItem(
  id: string,
  { title, html, url }: { title: string; html: string; url?: string },
): SourceItem & { text: string } {
  const name = titleOf(title, `article ${id}`);
  return {
    externalId: externalIdOf("articles", id),
    title: name,
    ...(url ? { url } : {}),
    ...asContent(joinBlocks(`# ${name}`, markdownOfHtml(html, name))),
  };
}

/** An article without its text. */
export function bareArticle(id: string, { title, url }: { title: string; url?: string }): SourceItem {
  const name = titleOf(title, `article ${id}`);
  const externalId = externalIdOf("articles", id);
  return { externalId, title: name, ...(url ? { url } : {}), revision: unknownRevision };
}

/** An item for a malformed record, so that it fails alone. */
export function damagedItem(object: CrmObject, raw: unknown): SourceItem | undefined {
  const known = z.object({ id: z.string().min(1).max(200) }).safeParse(raw);
  if (!known.success) return undefined;
  const { id } = known.data;
  return {
    externalId: externalIdOf(object, id),
    title: `${object} ${id}`,
    revision: revisionOf(JSON.stringify(raw)),
  };
}

/** The time of a record's last change, by HubSpot's clock. */
export function changeOf(object: CrmObject, { properties, updatedAt }: HubspotRecord): string | undefined {
  return properties[recordKinds[object].modified] ?? updatedAt;
}

const proseOf = (text: string) => (/<\/?[a-z][^<>]*>/i.test(text) ? markdownOfHtml(text, "record") : text);
const dayOf = (text: string) => (/^\d{4}-\d\d-\d\dT/.test(text) ? text.slice(0, 10) : text);
