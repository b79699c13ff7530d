// Owns importing handovers. Written as the service: no client may write them.

import { z } from "zod";
import { languageCodes } from "../../locales/registry.ts";
import type { Transaction } from "../_shared/database/db.ts";
import type { Slice } from "./hidden-rows.ts";
import { id, plain, row, text, time } from "./shapes.ts";

export const handoverRow = row(
  z.object({
    id,
    chatId: id,
    status: z.enum(["open", "answered", "closed"]),
    reason: z.enum(["requested", "notFound", "ratedDown"]),
    email: plain(254)
      .regex(/^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+$/)
      .nullable(),
    message: text(2000),
    summary: text(10_000),
    language: z.enum(languageCodes),
    consentVersion: plain(40),
    consentedAt: time,
    answeredAt: time.nullable(),
    closedAt: time.nullable(),
    createdAt: time,
  }),
  (handover) => ({
    chat_id: handover.chatId,
    status: handover.status,
    reason: handover.reason,
    email: handover.email,
    message: handover.message,
    summary: handover.summary,
    language: handover.language,
    consent_version: handover.consentVersion,
    consented_at: handover.consentedAt,
    answered_at: handover.answeredAt,
    closed_at: handover.closedAt,
    created_at: handover.createdAt,
  }),
);

/** Sends no notifications. */
export async function insertHandovers(tx: Transaction, teamId: string, { after, last }: Slice) {
  return await tx`
    insert into public.handovers (id, team_id, chat_id, status, reason, email, message, summary, language, consent_version,
                                  consented_at, answered_at, closed_at, created_at)
    select r.new_id, r.team_id, c.new_id, h.status, h.reason, h.email, h.message, h.summary, h.language, h.consent_version,
           h.consented_at, h.answered_at, h.closed_at, h.created_at
      from private.import_rows r
     cross join lateral jsonb_populate_record(null::public.handovers, r.content) h
      join private.import_rows c on c.team_id = r.team_id and c.kind = 'chats' and c.old_id = h.chat_id and c.new_id is not null
     where r.team_id = ${teamId} and r.kind = 'handovers' and r.position > ${after} and r.position <= ${last}
     order by r.position
    on conflict do nothing`;
}
