// Reads what is stored of some pages: their revisions, their files and their notes, so that an unchanged page is not read again for
// its files.
import { type ConnectorContext, type PageNote, type SourceItem, unknownRevision } from "../connector.ts";
import { addressOf } from "./files.ts";

export interface KnownPage {
  title?: string;
  revision?: string;
  files: SourceItem[];
  notes: PageNote[];
}

/** @param ids page ids, in lower case */
export async function knownPages(
  { source, read }: ConnectorContext,
  ids: string[],
): Promise<(id: string) => KnownPage> {
  const pages = new Map(ids.map((id): [string, KnownPage] => [id, { files: [], notes: [] }]));
  const byAddress = new Map(ids.map((id) => [addressOf(id), id]));
  await read(async (tx) => {
    const documents = await tx<
      { externalId: string; title: string; url: string | null; revision: string | null }[]
    >`
      select external_id, title, url, content_hash as revision from public.documents
       where team_id = ${source.teamId} and source_id = ${source.id} and type = ${source.type}
         and split_part(external_id, '/', 1) in ('pages', 'attachments')
         and split_part(external_id, '/', 2) = any(${ids}::text[])`;
    for (const { externalId, title, url, revision } of documents) {
      const [kind, id = ""] = externalId.split("/");
      const page = pages.get(id);
      if (kind === "pages" && page) Object.assign(page, { title, ...(revision ? { revision } : {}) });
      if (kind === "attachments")
        page?.files.push({
          externalId,
          title,
          ...(url ? { url } : {}),
          revision: revision ?? unknownRevision,
        });
    }
    const notes = await tx<{ address: string; title: string | null; problem: string }[]>`
      select address, title, problem from private.source_pages
       where source_id = ${source.id} and problem is not null
         and split_part(address, '#', 1) = any(${[...byAddress.keys()]}::text[])`;
    for (const { address, title, problem } of notes)
      pages
        .get(byAddress.get(address.split("#")[0] ?? "") ?? "")
        ?.notes.push({ address, problem, ...(title ? { title } : {}) });
  });
  return (id) => pages.get(id) ?? { files: [], notes: [] };
}
