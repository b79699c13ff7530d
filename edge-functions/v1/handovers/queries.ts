// Owns the SQL that reads handovers. Row-level security decides which are visible. ./asking.ts and ./answering.ts write them.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { numberedPage } from "../sql.ts";
import type { Delivery, Handover, HandoversQuery } from "./schema.ts";

type Row = Omit<Handover, "consent"> & { consentVersion: string; consentedAt: string };

const columns = (tx: Transaction) => tx`
  h.id, h.team_id, h.chat_id, c.agent_id, a.name as agent_name, c.title, c.channel, h.status, h.reason, h.email, h.message,
  h.summary, h.language, h.consent_version, h.consented_at, h.answered_at, h.closed_at, h.created_at, h.updated_at`;

const tables = (tx: Transaction) => tx`
  public.handovers h
    join public.chats c on c.id = h.chat_id
    left join public.agents a on a.id = c.agent_id`;

function toHandover({ consentVersion, consentedAt, ...row }: Row): Handover {
  return { ...row, consent: { version: consentVersion, at: consentedAt } };
}

/** Newest first. */
export async function listHandovers(
  tx: Transaction,
  teamId: TeamId,
  { status, agentId, page, perPage }: HandoversQuery,
) {
  const matches = tx`h.team_id = ${teamId} ${status ? tx`and h.status = ${status}` : tx``}`;
  const ofAgent = agentId ? tx`and c.agent_id = ${agentId}` : tx``;
  const listed = await numberedPage<Row>(
    tx,
    {
      columns: columns(tx),
      from: tx`${tables(tx)} where ${matches} ${ofAgent}`,
      order: tx`h.id desc`,
      // Whoever may read a handover may read its chat.
      ...(!agentId && { counted: tx`public.handovers h where ${matches}` }),
    },
    { page, perPage },
  );
  return { ...listed, data: listed.data.map(toHandover) };
}

export async function readHandover(
  tx: Transaction,
  id: string,
  teamId?: TeamId,
): Promise<Handover | undefined> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from ${tables(tx)} where h.id = ${id} ${teamId ? tx`and h.team_id = ${teamId}` : tx``}`;
  return row && toHandover(row);
}

/** The latest handover of a chat. */
export async function readLatest(
  tx: Transaction,
  chatId: string,
  status?: Handover["status"],
): Promise<Handover | undefined> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from ${tables(tx)}
     where h.chat_id = ${chatId} ${status ? tx`and h.status = ${status}` : tx``}
     order by h.id desc limit 1`;
  return row && toHandover(row);
}

const deliveryColumns = (tx: Transaction) => tx`
  d.id, d.kind, d.status, d.attempts, d.last_status, d.error, d.delivered_at, d.created_at,
  case when d.status = 'queued' then d.run_after end as next_attempt_at`;

/** Runs as the service, for a handover that the caller may see. */
export async function listDeliveries(
  tx: Transaction,
  { teamId, id }: { teamId: string; id: string },
): Promise<Delivery[]> {
  return await tx<Delivery[]>`
    select ${deliveryColumns(tx)} from private.handover_deliveries d
     where d.team_id = ${teamId} and d.handover_id = ${id} order by d.id desc limit 100`;
}

/** The webhook's latest delivery. Runs as the service. */
export async function readLastDelivery(tx: Transaction, teamId: string): Promise<Delivery | null> {
  const [row] = await tx<Delivery[]>`
    select ${deliveryColumns(tx)} from private.handover_deliveries d
     where d.team_id = ${teamId} and d.kind = 'webhook' order by d.id desc limit 1`;
  return row ?? null;
}
