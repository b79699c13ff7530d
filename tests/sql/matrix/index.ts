// Who may do what with which row: the one table behind the row-level security tests, in SQL and through PostgREST. A line per distinct row;
// whoever a cell does not name may not. Expectations, never mechanics.

import { agentTests } from "./agent-tests.ts";
import { apps } from "./apps.ts";
import type { Subject } from "./cells.ts";
import { chats, messages, messageWords, replyPassages } from "./chats.ts";
import { agents, content } from "./content.ts";
import { deletions } from "./deletions.ts";
import { gaps } from "./gaps.ts";
import { handovers } from "./handovers.ts";
import { knowledges } from "./knowledges.ts";
import { apiKeys, members, roles, teams, users } from "./members.ts";
import { models } from "./models.ts";
import { onboardings } from "./onboardings.ts";
import { letters, servicesOwn, supabasesOwn } from "./platform.ts";

export { actorsAllowed as allowed, type Command, commands, type Subject } from "./cells.ts";

export const matrix: readonly Subject[] = [
  ...users,
  ...teams,
  ...roles,
  ...members,
  ...apiKeys,
  ...agents,
  ...agentTests,
  ...content,
  ...knowledges,
  ...chats,
  ...messages,
  ...replyPassages,
  ...handovers,
  ...gaps,
  ...messageWords,
  ...apps,
  ...models,
  ...onboardings,
  ...deletions,
  ...letters,
  ...servicesOwn,
  ...supabasesOwn,
];
