// Brings a source's documents in line with what its connector lists: adds, renames, sweeps. Reads no content.

import type { ConnectorContext, Source, SourceItem } from "../connectors/connector.ts";
import { connectorFor } from "../connectors/registry.ts";
import { endSlice, type StepContext } from "./context.ts";

/**
 * Lists a source. Documents whose item is gone are deleted with their chunks in the transaction that notices.
 * @param reload also marks documents to be read again whose content is not what the source has now
 * @throws SourceUnavailable, before anything is swept
 */
export async function listSource(context: StepContext, source: Source, reload: boolean): Promise<void> {
  const { claim } = context;
  const connector = connectorFor(source.type);
  if (!connector) return;
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await connector.list(connectorContext(context, source), cursor);
    seen.push(...page.items.map(({ externalId }) => externalId));
    await addItems(context, source, page.items, reload);
    cursor = page.next;
    if (cursor !== undefined) endSlice(context);
  } while (cursor !== undefined);

  await claim.write(async (tx) => {
    await tx`delete from public.documents
              where team_id = ${source.teamId} and source_id = ${source.id} and type = ${source.type}
                and external_id <> all(${seen}::text[])`;
    await tx`update public.sources
                set synced_at = clock_timestamp(), error = null,
                    documents_count = (select count(*) from public.documents where source_id = ${source.id})
              where id = ${source.id}`;
  });
}

export function connectorContext({ claim }: StepContext, source: Source): ConnectorContext {
  return { source, signal: claim.signal, read: (work) => claim.read(work) };
}

async function addItems(
  { claim }: StepContext,
  source: Source,
  items: SourceItem[],
  reload: boolean,
): Promise<void> {
  const rows = {
    ids: items.map(({ externalId }) => externalId),
    titles: items.map(({ title }) => title.slice(0, 500)),
    urls: items.map(({ url }) => url ?? null),
    revisions: items.map(({ revision }) => revision),
  };
  await claim.write(async (tx) => {
    await tx`
      insert into public.documents as d (team_id, source_id, external_id, type, title, url)
      select ${source.teamId}, ${source.id}, item.external_id, ${source.type}, item.title, item.url
        from unnest(${rows.ids}::text[], ${rows.titles}::text[], ${rows.urls}::text[]) as item (external_id, title, url)
      on conflict (source_id, external_id) do update set title = excluded.title, url = excluded.url
       where d.type = excluded.type and (d.title, d.url) is distinct from (excluded.title, excluded.url)`;
    if (!reload) return;
    await tx`
      update public.documents d set content_hash = null
        from unnest(${rows.ids}::text[], ${rows.revisions}::text[]) as item (external_id, revision)
       where d.source_id = ${source.id} and d.type = ${source.type} and d.external_id = item.external_id
         and d.content is not null and d.content_hash is distinct from item.revision`;
  });
}
