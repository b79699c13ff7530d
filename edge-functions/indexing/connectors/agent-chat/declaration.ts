// Declares the settings of a source of past chats.
import { declare, schedules } from "../declaration.ts";
import { agent } from "../fields.ts";

export const declaration = declare({
  type: "agentChat",
  name: "Chats of an agent",
  icon: "M12 8V4H8M6 8h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2M2 14h2M20 14h2M15 13v2M9 13v2",
  origin: "team",
  settings: { agentId: agent() },
  credentials: {},
  login: "never",
  addresses: [],
  schedules,
  reads: ["messages", "ratings"],
  kinds: ["chats"],
});
