// Lists the source's own written answers from the database, except expired ones.
import { type Connector, type ConnectorContext, ItemGone } from "../connector.ts";
import { declaration } from "./declaration.ts";
import { type EntryRow, itemOf } from "./transform.ts";

const pageSize = 100;

export const qa: Connector = {
  declaration,

  async list(context, { next }) {
    const entries = await entriesOf(context, { after: next });
    const last = entries.length === pageSize ? entries.at(-1) : undefined;
    return { items: entries.map(itemOf), ...(last ? { next: last.id } : {}) };
  },

  async fetch(context, externalId) {
    const [entry] = await entriesOf(context, { only: externalId });
    if (!entry) throw new ItemGone("the entry was deleted or has expired");
    return itemOf(entry);
  },
};

/** Oldest first. */
async function entriesOf(
  { source, read }: ConnectorContext,
  { after, only }: { after?: string | undefined; only?: string },
): Promise<EntryRow[]> {
  return await read(
    (tx) => tx<EntryRow[]>`
      select e.id, e.question, e.answer, e.reviewed_at as changed_at from public.qa_entries e
       where e.team_id = ${source.teamId} and e.source_id = ${source.id}
         and (e.expires_at is null or e.expires_at > clock_timestamp())
         ${after ? tx`and e.id > ${after}` : tx``} ${only ? tx`and e.id::text = ${only}` : tx``}
       order by e.id limit ${pageSize}`,
  );
}
