// The matrix of gaps: unanswered questions, for those who may read everyone's chats.
import { holding } from "../../support/actors.ts";
import { gapQuestionRow, gapRow } from "../gap-rows.ts";
import { nobody, readsEveryChat, type Subject } from "./cells.ts";

export const gaps: Subject[] = [
  {
    table: "public.gaps",
    row: "a gap, which people dismiss",
    key: (w) => ({ id: w.gap }),
    select: readsEveryChat,
    insert: { row: (w) => ({ ...gapRow(w), reason: "notFound" }), by: nobody },
    update: { to: () => ({ is_dismissed: true }), by: holding("chats.read", "sources.write") },
    delete: nobody,
  },
  {
    table: "public.gaps",
    row: "a gap's figures",
    key: (w) => ({ id: w.gap }),
    select: readsEveryChat,
    insert: { row: (w) => ({ ...gapRow(w), people: 99 }), by: nobody },
    update: { to: () => ({ people: 99 }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.gap_questions",
    row: "a question of a gap",
    key: (w) => ({ message_id: w.messages.viewer }),
    select: readsEveryChat,
    insert: { row: (w) => ({ ...gapQuestionRow(w), message_id: w.messages.visitor }), by: nobody },
    update: { to: () => ({ cause: "down" }), by: nobody },
    delete: nobody,
  },
];
