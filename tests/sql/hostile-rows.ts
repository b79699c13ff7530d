// Owns the row in which each column is tested: its writer, its other values, a valid value, and another team's value.
import type { Actor } from "../support/actors.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { tinyPng } from "../support/pictures.ts";
import { prefix } from "./prefix.ts";
import type { World } from "./world.ts";

type Row = Record<string, unknown>;

interface Place {
  /** An actor who may write the table. */
  actor: Actor;
  /** A valid new row. */
  newRow(world: World): Row;
  /** The row to change, as a condition on `t`. */
  there(world: World): string;
  /** Changed columns, each with a valid value. */
  changes(world: World): Row;
  /** Another team's values of the columns. */
  foreign?(other: World): Row;
}

const byId = (id: string) => `t.id = '${id}'`;
const agentSettings = () => ({
  name: "New",
  description: "",
  instructions: "",
  greeting: "",
  suggested_prompts: ["Why?"],
  model: "",
  temperature: 1,
  visibility: "public",
  retrieval_top_k: 3,
  retrieval_min_score: 0.5,
  retrieval_mode: "text",
  unsupported_claims: "omit",
  allowed_origins: ["https://example.com"],
  display_name: "Ask us",
  color: "#0f766e",
  launcher_icon: "book",
  launcher_label: "Help",
  widget_position: "left",
  address: `new-${prefix().toLowerCase()}`,
  avatar: tinyPng,
});
const knowledgeSettings = {
  name: "New",
  description: "",
  language: "fr",
  chunk_max_tokens: 200,
  chunk_overlap_tokens: 10,
  warn_after_days: 30,
};
const space = () => ({ name: "New", model: prefix(), dimensions: 5, status: "active" });
const nothingNew = () => ({});

export const places: Record<string, Place> = {
  users: {
    actor: "owner",
    newRow: nothingNew,
    there: (w) => byId(w.people.owner),
    changes: () => ({ name: "New", locale: "fr" }),
  },
  teams: {
    actor: "owner",
    newRow: nothingNew,
    there: (w) => byId(w.team),
    changes: () => ({ name: "New", codename: `new-${prefix().toLowerCase()}` }),
    foreign: (o) => ({ codename: o.team }),
  },
  roles: {
    actor: "owner",
    newRow: (w) => ({ team_id: w.team, name: "New", codename: "new", permissions: ["team.read"] }),
    there: (w) => byId(w.spareRole),
    changes: () => ({ name: "New", codename: "new", permissions: ["agents.read"] }),
    foreign: (o) => ({ team_id: o.team }),
  },
  team_users: {
    actor: "owner",
    newRow: (w) => ({
      team_id: w.team,
      email: `${prefix()}@matrix.test`.toLowerCase(),
      role_id: systemRoleIds.viewer,
    }),
    there: (w) => `t.team_id = '${w.team}' and t.email = '${w.email("rejected")}'`,
    changes: () => ({ role_id: systemRoleIds.editor, status: "pending" }),
    foreign: (o) => ({ team_id: o.team, role_id: o.customRole }),
  },
  api_keys: {
    actor: "owner",
    newRow: (w) => ({
      team_id: w.team,
      name: "New",
      role_id: systemRoleIds.viewer,
      prefix: prefix(),
      secret_hash: `\\x${"cd".repeat(32)}`,
    }),
    there: (w) => byId(w.apiKey),
    changes: () => ({ name: "New", role_id: systemRoleIds.viewer }),
    foreign: (o) => ({ team_id: o.team, role_id: o.customRole, prefix: o.apiKeyPrefix }),
  },
  agents: {
    actor: "owner",
    newRow: (w) => ({ team_id: w.team, ...agentSettings() }),
    there: (w) => byId(w.agent),
    changes: agentSettings,
    foreign: (o) => ({ team_id: o.team, address: o.agentAddress }),
  },
  agent_tests: {
    actor: "owner",
    newRow: (w) => ({
      team_id: w.team,
      agent_id: w.agent,
      question: "New?",
      facts: ["New"],
      expected_document_id: w.document,
      must_refuse: false,
      message_id: w.messages.viewer,
    }),
    there: (w) => byId(w.agentTest),
    changes: (w) => ({
      question: "New?",
      facts: ["New"],
      expected_document_id: w.otherDocument,
      must_refuse: false,
    }),
    foreign: (o) => ({
      team_id: o.team,
      agent_id: o.agent,
      expected_document_id: o.document,
      message_id: o.messages.viewer,
    }),
  },
  agent_test_results: {
    actor: "owner",
    newRow: nothingNew,
    there: (w) => byId(w.agentTestResult),
    changes: () => ({ overruled: "passed" }),
  },
  sources: {
    actor: "owner",
    newRow: (w) => ({
      team_id: w.team,
      type: "file",
      name: "New",
      config: { fileIds: [w.file] },
      schedule: "daily",
    }),
    there: (w) => byId(w.source),
    changes: (w) => ({ name: "New", config: { fileIds: [w.file] }, schedule: "weekly" }),
    foreign: (o) => ({ team_id: o.team, config: { fileIds: [o.file] } }),
  },
  vectors: {
    actor: "platform admin at work",
    newRow: space,
    there: (w) => byId(w.spareVector),
    changes: space,
  },
  knowledges: {
    actor: "owner",
    newRow: (w) => ({ team_id: w.team, ...knowledgeSettings }),
    there: (w) => byId(w.knowledge),
    changes: () => knowledgeSettings,
    foreign: (o) => ({ team_id: o.team }),
  },
  knowledge_sources: {
    actor: "owner",
    newRow: (w) => ({ team_id: w.team, knowledge_id: w.knowledge, source_id: w.otherSource }),
    there: () => "false",
    changes: nothingNew,
    foreign: (o) => ({ team_id: o.team, knowledge_id: o.knowledge, source_id: o.source }),
  },
  agent_knowledges: {
    actor: "owner",
    newRow: (w) => ({ team_id: w.team, agent_id: w.publicAgent, knowledge_id: w.knowledge }),
    there: () => "false",
    changes: nothingNew,
    foreign: (o) => ({ team_id: o.team, agent_id: o.agent, knowledge_id: o.knowledge }),
  },
  documents: {
    actor: "owner",
    newRow: (w) => ({
      team_id: w.team,
      source_id: w.source,
      external_id: prefix(),
      type: "text",
      title: "New",
      url: "https://example.com/page",
      content: "What it says.",
    }),
    there: (w) => byId(w.document),
    // A connector's document: clients may not change its type or text.
    changes: () => ({ title: "New", url: "https://example.com/page", language: "fr" }),
    foreign: (o) => ({ team_id: o.team, source_id: o.source }),
  },
  gaps: {
    actor: "owner",
    newRow: nothingNew,
    there: (w) => byId(w.gap),
    changes: () => ({ is_dismissed: true }),
  },
  qa_entries: {
    actor: "owner",
    newRow: (w) => ({
      team_id: w.team,
      source_id: w.qaSource,
      question: "New?",
      answer: "New.",
      owner_id: w.people.editor,
      expires_at: "2030-01-01T00:00:00Z",
    }),
    there: (w) => byId(w.qaEntry),
    changes: (w) => ({
      question: "New?",
      answer: "New.",
      owner_id: w.people.editor,
      expires_at: "2030-01-01T00:00:00Z",
    }),
    foreign: (o) => ({ team_id: o.team, source_id: o.qaSource, owner_id: o.people.owner }),
  },
  chats: {
    actor: "viewer",
    newRow: (w) => ({ agent_id: w.agent, title: "New", channel: "playground" }),
    there: (w) => byId(w.chats.viewer),
    changes: () => ({ title: "New", summary: "New", rating: "up", comment: "New" }),
    foreign: (o) => ({ agent_id: o.agent }),
  },
  messages: {
    actor: "viewer",
    newRow: (w) => ({ chat_id: w.chats.viewer, content: "New" }),
    there: (w) => byId(w.messages.viewer),
    changes: () => ({ rating: "up", comment: "New", stop_requested: true }),
    foreign: (o) => ({ chat_id: o.chats.viewer }),
  },
  apps: {
    actor: "owner",
    newRow: (w) => ({
      team_id: w.team,
      name: "New",
      type: "slack",
      agent_id: w.agent,
      channels: ["C0123ABCD"],
      audience: "guests",
    }),
    there: (w) => byId(w.app),
    changes: (w) => ({ name: "New", agent_id: w.publicAgent, channels: ["C0123ABCD"], audience: "guests" }),
    foreign: (o) => ({ team_id: o.team, agent_id: o.agent }),
  },
  support_tickets: {
    actor: "platform admin at work",
    newRow: nothingNew,
    there: (w) => byId(w.supportTicket),
    changes: () => ({ status: "closed" }),
  },
  retention: {
    actor: "platform admin at work",
    newRow: nothingNew,
    there: () => "t.kind = 'tasks'",
    changes: () => ({ days: 30 }),
  },
};
