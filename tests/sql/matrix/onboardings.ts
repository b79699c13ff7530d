// The matrix of onboardings, which the platform writes.
import { holding } from "../../support/actors.ts";
import { onboardingRow } from "../onboarding-rows.ts";
import { nobody, type Subject } from "./cells.ts";

export const onboardings: Subject[] = [
  {
    table: "public.onboardings",
    row: "what became of a team's first files",
    key: (w) => ({ team_id: w.team }),
    select: holding("knowledges.read"),
    insert: { row: (w) => ({ ...onboardingRow(w), agent_id: w.publicAgent }), by: nobody },
    update: { to: () => ({ candidates: [] }), by: nobody },
    delete: nobody,
  },
];
