// The matrix of models: connections, budgets and reservations are service only; usage is readable.
import { holding } from "../../support/actors.ts";
import { modelReservationRow, modelRow, modelUsageRow } from "../content-rows.ts";
import { nobody, type Subject } from "./cells.ts";

export const models: Subject[] = [
  {
    table: "private.models",
    row: "a team's connection to a model, with its key",
    key: (w) => ({ team_id: w.team }),
    select: nobody,
    insert: { row: (w) => modelRow(w, "fallback"), by: nobody },
    update: { to: () => ({ base_url: "https://elsewhere.example/v1" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.model_budgets",
    row: "how much a team's models may cost",
    key: (w) => ({ team_id: w.team }),
    select: nobody,
    insert: { row: (w) => ({ team_id: w.otherTeam, month: "2026-01-01" }), by: nobody },
    update: { to: () => ({ spent: 0, installation_cap: null }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.model_reservations",
    row: "what a call may cost",
    key: (w) => ({ team_id: w.team }),
    select: nobody,
    insert: { row: (w) => ({ ...modelReservationRow(w), cost: 2 }), by: nobody },
    update: { to: () => ({ cost: 0 }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.model_usage",
    row: "what a team's models took on a day",
    key: (w) => ({ team_id: w.team }),
    select: holding("insights.read"),
    insert: { row: (w) => modelUsageRow(w, "slack"), by: nobody },
    update: { to: () => ({ cost: 0 }), by: nobody },
    delete: nobody,
  },
];
