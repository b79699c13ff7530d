// Who may do what with which row: the one table that the row-level security tests read, in SQL and through PostgREST.
// A line per row worth telling apart; what a cell does not name, nobody may. Expectations, never mechanics.

import { apps } from "./apps.ts";
import type { Subject } from "./cells.ts";
import { chats, messages, replyPassages } from "./chats.ts";
import { agents, content } from "./content.ts";
import { knowledges } from "./knowledges.ts";
import { apiKeys, members, roles, teams, users } from "./members.ts";
import { letters, servicesOwn, supabasesOwn } from "./platform.ts";

export { allowed, type Command, commands, type Subject } from "./cells.ts";

export const matrix: readonly Subject[] = [
  ...users,
  ...teams,
  ...roles,
  ...members,
  ...apiKeys,
  ...agents,
  ...content,
  ...knowledges,
  ...chats,
  ...messages,
  ...replyPassages,
  ...apps,
  ...letters,
  ...servicesOwn,
  ...supabasesOwn,
];
