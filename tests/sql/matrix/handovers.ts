// The matrix of handovers: an address is read only by readers of its chat, and written by nobody.
import type { Actor } from "../../support/actors.ts";
import { deliveryRow, handoverRow } from "../handover-rows.ts";
import type { World } from "../world.ts";
import { nobody, readsEveryChat, type Subject, theOutsider } from "./cells.ts";

const handoverOf = (owner: keyof World["handovers"], row: string, select: readonly Actor[]): Subject => ({
  table: "public.handovers",
  row,
  key: (w) => ({ id: w.handovers[owner] }),
  select,
  insert: { row: (w) => ({ ...handoverRow(w, owner), status: "closed" }), by: nobody },
  update: { to: () => ({ email: "elsewhere@example.com" }), by: nobody },
  delete: nobody,
});

export const handovers: Subject[] = [
  handoverOf("viewer", "what the viewer left in a chat with a private agent", [...readsEveryChat, "viewer"]),
  handoverOf("removed", "what the removed member left", readsEveryChat),
  handoverOf("outsider", "what the outsider left in a chat with a public agent", [
    ...readsEveryChat,
    ...theOutsider,
  ]),
  handoverOf("API key", "what the API key left", readsEveryChat),
  handoverOf("visitor", "what the visitor left in a chat with a public agent", [
    ...readsEveryChat,
    "visitor",
  ]),
  handoverOf("visitor through an app", "what was left in a Slack thread", [
    ...readsEveryChat,
    "visitor through an app",
  ]),
  {
    table: "private.handover_settings",
    row: "whom a team's handovers are told to, with the secret",
    key: (w) => ({ team_id: w.team }),
    select: nobody,
    insert: { row: (w) => ({ team_id: w.otherTeam }), by: nobody },
    update: { to: () => ({ webhook_url: "https://elsewhere.example" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.handover_deliveries",
    row: "what is sent of a handover",
    key: (w) => ({ team_id: w.team }),
    select: nobody,
    insert: { row: (w) => ({ ...deliveryRow(w), kind: "webhook" }), by: nobody },
    update: { to: () => ({ email: "elsewhere@example.com" }), by: nobody },
    delete: nobody,
  },
];
