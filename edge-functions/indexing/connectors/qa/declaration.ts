// Declares a source of written answers, which has no settings. Its entries are rows of the team (sql/57_qa_entries.sql).
import { declare } from "../declaration.ts";

export const declaration = declare({
  type: "qa",
  name: "Written answers",
  icon: "M21 15a2 2 0 0 1-2 2H7l-4 4V5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2ZM9.1 8a3 3 0 0 1 5.8 1c0 2-3 2.5-3 2.5M12 14h.01",
  origin: "team",
  settings: {},
  credentials: {},
  login: "never",
  addresses: [],
  schedules: [],
  reads: ["entries"],
  kinds: [],
});
