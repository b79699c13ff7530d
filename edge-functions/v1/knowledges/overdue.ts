// Owns which sources of a knowledge base are overdue: not synced within the days that it allows. Only sources read from a service count.
import type { Transaction } from "../../_shared/database/db.ts";
import { syncedTypes } from "../../answering/citation-ages.ts";

/** Overdue sources s of knowledge base k. A source that was never synced counts from its creation. */
const overdue = (tx: Transaction) => tx`
  public.knowledge_sources ks join public.sources s on s.team_id = ks.team_id and s.id = ks.source_id
   where ks.knowledge_id = k.id and s.type = any (${syncedTypes}::text[])
     and coalesce(s.synced_at, s.created_at) < now() - make_interval(days => k.warn_after_days)`;

/** Overdue sources of knowledge base k, as JSON. */
export const overdueSources = (tx: Transaction) => tx`
  case when k.warn_after_days is null then '[]' else (
    select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'syncedAt', to_char(s.synced_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                              order by coalesce(s.synced_at, s.created_at), s.id), '[]')
      from ${overdue(tx)}) end`;

/** Condition: knowledge base k has an overdue source. */
export const hasOverdueSource = (tx: Transaction) => tx`
  (k.warn_after_days is not null and exists (select 1 from ${overdue(tx)}))`;
