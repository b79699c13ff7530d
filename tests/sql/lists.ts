// Owns every long list of the API, as its queries module requests it: first and later pages, filters, counts.
import type { Transaction } from "../../edge-functions/_shared/database/db.ts";
import { listTickets } from "../../edge-functions/v1/admin/support.ts";
import { listSuppressions } from "../../edge-functions/v1/admin/suppressions.ts";
import { listAgents, listPublicAgents } from "../../edge-functions/v1/agents/queries.ts";
import { listApiKeys } from "../../edge-functions/v1/api-keys/queries.ts";
import { listApps } from "../../edge-functions/v1/apps/queries.ts";
import { listChats, readChat } from "../../edge-functions/v1/chats/queries.ts";
import { listDocuments, readByExternalId } from "../../edge-functions/v1/documents/queries.ts";
import { listFiles } from "../../edge-functions/v1/files/queries.ts";
import { listFileVersions } from "../../edge-functions/v1/files/version-queries.ts";
import { listGaps } from "../../edge-functions/v1/gaps/queries.ts";
import { listHandovers } from "../../edge-functions/v1/handovers/queries.ts";
import { listQuestions } from "../../edge-functions/v1/insights/queries.ts";
import { listKnowledges } from "../../edge-functions/v1/knowledges/queries.ts";
import { listMessages } from "../../edge-functions/v1/messages/queries.ts";
import { listRoles } from "../../edge-functions/v1/roles/queries.ts";
import { listSources } from "../../edge-functions/v1/sources/queries.ts";
import { listTasks } from "../../edge-functions/v1/tasks/queries.ts";
import { listTeamUsers } from "../../edge-functions/v1/team-users/queries.ts";
import { listInvitations, listTeams } from "../../edge-functions/v1/teams/queries.ts";
import { listUsers } from "../../edge-functions/v1/users/queries.ts";
import type { Crowd } from "./crowd.ts";

export const PER_PAGE = 20;
const page = { page: 1, perPage: PER_PAGE };
const second = { page: 2, perPage: PER_PAGE };
const cursor = { perPage: PER_PAGE };

type Listing = (tx: Transaction, crowd: Crowd) => Promise<unknown>;

/** A paged list, and the page after its first. */
const throughTwo =
  (
    list: (
      tx: Transaction,
      crowd: Crowd,
      query: { perPage: number; timeZone: string; lastKey?: string },
    ) => Promise<{ lastKey: string | null }>,
  ): Listing =>
  async (tx, crowd) => {
    const query = { ...cursor, timeZone: "Europe/Paris" };
    const { lastKey } = await list(tx, crowd, query);
    if (lastKey) await list(tx, crowd, { ...query, lastKey });
  };

export const lists: Record<string, Listing> = {
  teams: (tx) => listTeams(tx, page),
  "teams by name": (tx) => listTeams(tx, { ...page, search: "crowd" }),
  "pending invitations": (tx) => listInvitations(tx, page),
  users: (tx) => listUsers(tx, page),
  "users by e-mail": (tx) => listUsers(tx, { ...page, email: "someone@crowd.test" }),
  "users by name": (tx) => listUsers(tx, { ...page, search: "person" }),
  "users of a team": (tx, { team }) => listUsers(tx, { ...page, teamId: team }),
  "team users": (tx, { team }) => listTeamUsers(tx, team, page),
  "team users by name": (tx, { team }) => listTeamUsers(tx, team, { ...page, search: "person" }),
  roles: (tx, { team }) => listRoles(tx, { ...page, teamId: team }),
  agents: (tx, { team }) => listAgents(tx, team, page),
  "agents, second page": (tx, { team }) => listAgents(tx, team, { page: 2, perPage: 5 }),
  "agents by when they were changed": (tx, { team }) => listAgents(tx, team, { ...page, sort: "-updatedAt" }),
  "team users in the order of names": (tx, { team }) => listTeamUsers(tx, team, { ...page, sort: "name" }),
  "team users by role": (tx, { team }) => listTeamUsers(tx, team, { ...page, sort: "-role" }),
  "apps by state": (tx, { team }) => listApps(tx, team, { ...page, sort: "status" }),
  "API keys by name": (tx, { team }) => listApiKeys(tx, team, { ...page, sort: "name" }),
  "API keys by their last use": (tx, { team }) => listApiKeys(tx, team, { ...page, sort: "-lastUsedAt" }),
  "agents by name": (tx, { team }) => listAgents(tx, team, { ...page, name: "7" }),
  "agents by id": (tx, { team }) => listAgents(tx, team, { ...page, ids: [team] }),
  "public agents": (tx) => listPublicAgents(tx, page),
  files: (tx, { team }) => listFiles(tx, team, page),
  "files by type": (tx, { team }) => listFiles(tx, team, { ...second, type: "document" }),
  "files by name": (tx, { team }) => listFiles(tx, team, { ...page, sort: "name" }),
  "files by size, falling": (tx, { team }) => listFiles(tx, team, { ...second, sort: "-size" }),
  "versions of a file": (tx, { team, file }) => listFileVersions(tx, { teamId: team, fileId: file }, page),
  knowledges: (tx, { team }) => listKnowledges(tx, team, page),
  "knowledges by name": (tx, { team }) => listKnowledges(tx, team, { ...page, name: "7" }),
  "knowledges by state": (tx, { team }) => listKnowledges(tx, team, { ...page, sort: "status" }),
  "knowledges by when they were indexed": (tx, { team }) =>
    listKnowledges(tx, team, { ...page, sort: "-indexedAt" }),
  sources: (tx, { team }) => listSources(tx, team, page),
  "sources by type": (tx, { team }) => listSources(tx, team, { ...page, type: "file" }),
  "sources in the order of names": (tx, { team }) => listSources(tx, team, { ...page, sort: "name" }),
  "sources by state": (tx, { team }) => listSources(tx, team, { ...page, sort: "-status" }),
  "sources by when they were read": (tx, { team }) => listSources(tx, team, { ...second, sort: "-syncedAt" }),
  documents: throughTwo((tx, { team, source }, query) =>
    listDocuments(tx, { teamId: team, sourceId: source }, query),
  ),
  "documents by type": throughTwo((tx, { team, source }, query) =>
    listDocuments(tx, { teamId: team, sourceId: source }, { ...query, type: "file" }),
  ),
  "documents by title": throughTwo((tx, { team, source }, query) =>
    listDocuments(tx, { teamId: team, sourceId: source }, { ...query, sort: "title" }),
  ),
  "documents by when they changed, the latest first": throughTwo((tx, { team, source }, query) =>
    listDocuments(tx, { teamId: team, sourceId: source }, { ...query, sort: "-updatedAt" }),
  ),
  "documents with words in their title": throughTwo((tx, { team, source }, query) =>
    listDocuments(tx, { teamId: team, sourceId: source }, { ...query, search: "document 7" }),
  ),
  "failed documents": throughTwo((tx, { team, source }, query) =>
    listDocuments(tx, { teamId: team, sourceId: source }, { ...query, status: "failed", sort: "title" }),
  ),
  "a document by external id": (tx, { team, source }) =>
    readByExternalId(tx, { teamId: team, sourceId: source }, "7"),
  gaps: (tx, { team }) => listGaps(tx, team, page),
  "open gaps": (tx, { team }) => listGaps(tx, team, { ...second, state: "open" }),
  handovers: (tx, { team }) => listHandovers(tx, team, page),
  "closed handovers": (tx, { team }) => listHandovers(tx, team, { ...second, status: "closed" }),
  tasks: throughTwo((tx, { team }, query) => listTasks(tx, team, query, "en")),
  "tasks of a source in some days": throughTwo((tx, { team, source }, query) =>
    listTasks(tx, team, { ...query, sourceId: source, dateStart: "2020-01-01", dateEnd: "2100-01-01" }, "en"),
  ),
  "tasks by state": throughTwo((tx, { team }, query) =>
    listTasks(tx, team, { ...query, status: "succeeded" }, "en"),
  ),
  "a team's chats": throughTwo((tx, { team }, query) => listChats(tx, { teamId: team }, query)),
  "a team's chats by words": throughTwo((tx, { team }, query) =>
    listChats(tx, { teamId: team }, { ...query, search: "chat" }),
  ),
  "a team's chats with a question": throughTwo((tx, { team }, query) =>
    listChats(tx, { teamId: team }, { ...query, asked: "true" }),
  ),
  "a team's chats since a day": throughTwo((tx, { team }, query) =>
    listChats(tx, { teamId: team }, { ...query, dateStart: "2020-01-01" }),
  ),
  "an agent's chats": throughTwo((tx, { agent }, query) => listChats(tx, { agentId: agent }, query)),
  "one chat": (tx, { agent, chat }) => readChat(tx, { agentId: agent, chatId: chat }),
  messages: (tx, { chat }) => listMessages(tx, chat, { count: 50 }),
  "questions without a passage": throughTwo((tx, { team }, query) => listQuestions(tx, team, query)),
  apps: (tx, { team }) => listApps(tx, team, page),
  "apps by name": (tx, { team }) => listApps(tx, team, { ...page, name: "7" }),
  "API keys": (tx, { team }) => listApiKeys(tx, team, page),
};

/** The lists of the admin area, which span every team. */
export const adminLists: Record<string, Listing> = {
  "every team": (tx) => listTeams(tx, page),
  "every team by name": (tx) => listTeams(tx, { ...page, search: "crowd" }),
  "every user": (tx) => listUsers(tx, page),
  "every user by e-mail": (tx) => listUsers(tx, { ...page, email: "someone@crowd.test" }),
  "every agent": (tx) => listAgents(tx, null, page),
  "every agent by name": (tx) => listAgents(tx, null, { ...page, name: "7" }),
  "every public agent": (tx) => listAgents(tx, null, { ...page, visibility: "public" }),
  "every knowledge": (tx) => listKnowledges(tx, null, second),
  "every source": (tx) => listSources(tx, null, page),
  "every source by type": (tx) => listSources(tx, null, { ...page, type: "file" }),
  "every API key": (tx) => listApiKeys(tx, null, page),
  "every task": throughTwo((tx, _crowd, query) => listTasks(tx, null, query, "en")),
  "every task by state": throughTwo((tx, _crowd, query) =>
    listTasks(tx, null, { ...query, status: "succeeded" }, "en"),
  ),
  "support tickets": (tx) => listTickets(tx, page),
  "support tickets by state": (tx) => listTickets(tx, { ...second, status: "open" }),
  "suppressed addresses": (tx) => listSuppressions(tx, page),
};
