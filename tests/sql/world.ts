// Owns the rows behind the actors: one team with one of everything, the outsider's team, and the ids of both. Inserted by the superuser,
// any number of times in one database: every world has ids and names of its own.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import {
  type ActorIds,
  agentReaderPermissions,
  customRolePermissions,
  type Person,
  people,
} from "../support/actors.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { type AgentTestIds, agentTestIds, makeAgentTests } from "./agent-test-rows.ts";
import { makeApps } from "./app-rows.ts";
import {
  buildRow,
  chunkEmbeddingRow,
  chunkRow,
  chunkWordsRow,
  documentPieceRow,
  documentTableRow,
  fileRow,
  pageReadingRow,
  rowsOfTheTeam,
  stagedChunkRow,
  tableRow,
  unfitDocumentRow,
} from "./content-rows.ts";
import { type DeletionIds, deletionIds, makeDeletions } from "./deletion-rows.ts";
import { type GapIds, gapIds, makeGaps } from "./gap-rows.ts";
import { makeHandovers } from "./handover-rows.ts";
import { makeOnboarding } from "./onboarding-rows.ts";
import { prefix } from "./prefix.ts";
import { collectRows, type Put } from "./putter.ts";
import { makeQaEntries, type QaEntryIds, qaEntryIds } from "./qa-entry-rows.ts";
import { formerThreadRow, threadRow } from "./thread-row.ts";

export interface World extends ActorIds, AgentTestIds, DeletionIds, GapIds, QaEntryIds {
  /** Part of every name that must be unique. */
  mark: string;
  otherTeam: string;
  otherRole: string;
  secondOwner: string;
  customRole: string;
  agentReaderRole: string;
  spareRole: string;
  /** A role with more permissions than an admin. */
  strongRole: string;
  apiKeyPrefix: string;
  ownerApiKey: string;
  publicAgent: string;
  agentAddress: string;
  /** Not installed in a workspace yet. */
  pendingApp: string;
  /** Slack's id of the workspace of `app`. */
  workspace: string;
  file: string;
  /** The last part of an unwanted object's key. */
  unwantedObject: string;
  source: string;
  otherSource: string;
  vector: string;
  spareVector: string;
  /** Linked to `agent`, with `source`. */
  knowledge: string;
  /** Linked to no agent. */
  otherKnowledge: string;
  document: string;
  /** Not indexed in an agent's knowledge base. */
  otherDocument: string;
  chunk: string;
  /** The document's table in the knowledge base. */
  table: string;
  task: string;
  betaSignup: string;
  supportTicket: string;
  suppression: string;
  session: string;
  bucket: string;
  /** Each chat's person; with `agent`, except the visitor's and the outsider's, which are with `publicAgent`. */
  chats: Record<ChatOwner, string>;
  messages: Record<ChatOwner, string>;
  handovers: Record<ChatOwner, string>;
  email(person: Person): string;
}

const chatOwners = ["viewer", "removed", "outsider", "API key", "visitor", "visitor through an app"] as const;
type ChatOwner = (typeof chatOwners)[number];

const record = <Name extends string>(names: readonly Name[]): Record<Name, string> =>
  // Object.fromEntries loses the types of the keys.
  Object.fromEntries(names.map((name) => [name, randomUUID()])) as Record<Name, string>;

/** @param sql a connection as the superuser. */
export async function makeWorld(sql: Sql): Promise<World> {
  const [world] = await makeWorlds(sql, 1);
  return world as World; // One was asked for.
}

/** Makes several in the time of a few: a statement writes the rows of all. */
export async function makeWorlds(sql: Sql, count: number): Promise<World[]> {
  const worlds = Array.from({ length: count }, newIds);
  const each = <T>(idOf: (world: World) => T) => worlds.map(idOf);
  await sql.begin(async (tx) => {
    const { put, restart, write } = collectRows(tx);
    for (const world of worlds) {
      restart();
      await makePeople(put, world);
      await makeTeams(put, world);
      await makeMembers(put, world);
      await makeApiKeys(put, world);
      await makeContent(put, world);
      await makeApps(put, world);
      await makeChats(put, world);
      await put("private.slack_threads", threadRow(world, "1.1"));
      await put("private.former_slack_threads", formerThreadRow(world, "0.1"));
      await makeAgentTests(put, world);
      await makeQaEntries(put, world);
      await makeGaps(put, world);
      await makeOnboarding(put, world);
      await makeDeletions(put, world);
    }
    await write();
    // A worker that runs beside the tests leaves the worlds unchanged.
    await tx`delete from public.tasks where source_id = any (${each((world) => world.qaSource)}::uuid[])`;
    for (const world of worlds) {
      restart();
      await makePlatformRows(put, world);
    }
    await write();
    const admins = each((world) => world.people["platform admin"]);
    await tx`update public.users set is_admin = true where id = any (${admins}::uuid[])`;
    const banned = each((world) => world.people.banned);
    await tx`update public.users set banned_at = now() where id = any (${banned}::uuid[])`;
    const removed = each((world) => world.people.removed);
    await tx`delete from public.team_users where user_id = any (${removed}::uuid[])`;
    // So that a row of its words can be inserted.
    const wordless = each((world) => world.messages.removed);
    await tx`delete from private.message_words where message_id = any (${wordless}::uuid[])`;
  });
  return worlds;
}

function newIds(): World {
  const mark = prefix();
  return {
    mark,
    team: randomUUID(),
    otherTeam: randomUUID(),
    otherRole: randomUUID(),
    people: record(people),
    secondOwner: randomUUID(),
    customRole: randomUUID(),
    agentReaderRole: randomUUID(),
    spareRole: randomUUID(),
    strongRole: randomUUID(),
    apiKey: randomUUID(),
    apiKeyPrefix: prefix(),
    revokedApiKey: randomUUID(),
    ownerApiKey: randomUUID(),
    visitor: randomUUID(),
    app: randomUUID(),
    appVisitor: randomUUID(),
    pendingApp: randomUUID(),
    workspace: `W${mark}`,
    agent: randomUUID(),
    agentAddress: `a-${prefix()}`,
    publicAgent: randomUUID(),
    ...agentTestIds(),
    ...qaEntryIds(),
    ...gapIds(),
    ...deletionIds(),
    file: randomUUID(),
    unwantedObject: randomUUID(),
    source: randomUUID(),
    otherSource: randomUUID(),
    vector: randomUUID(),
    spareVector: randomUUID(),
    knowledge: randomUUID(),
    otherKnowledge: randomUUID(),
    document: randomUUID(),
    otherDocument: randomUUID(),
    chunk: randomUUID(),
    table: randomUUID(),
    task: randomUUID(),
    betaSignup: randomUUID(),
    supportTicket: randomUUID(),
    suppression: randomUUID(),
    session: randomUUID(),
    bucket: `matrix-${mark}`,
    chats: record(chatOwners),
    messages: record(chatOwners),
    handovers: record(chatOwners),
    email: (person) => `${person.replaceAll(" ", "-")}-${mark}@matrix.test`,
  };
}

async function makePeople(put: Put, world: World) {
  const { mark } = world;
  for (const person of people)
    await put("auth.users", {
      id: world.people[person],
      email: world.email(person),
      email_confirmed_at: "2026-01-01T00:00:00Z",
      raw_user_meta_data: { name: person },
    });
  await put("auth.users", {
    id: world.secondOwner,
    email: `second-owner-${mark}@matrix.test`,
    raw_user_meta_data: {},
  });
}

async function makeTeams(put: Put, world: World) {
  const { mark } = world;
  await put("public.teams", { id: world.team, name: "Team", codename: `team-${mark}` });
  await put("public.teams", { id: world.otherTeam, name: "Other team", codename: `other-${mark}` });
  const role = (id: string, team: string, name: string, permissions: readonly string[]) =>
    put("public.roles", { id, team_id: team, name, codename: name, permissions });
  await role(world.customRole, world.team, "custom", customRolePermissions);
  await role(world.agentReaderRole, world.team, "agents", agentReaderPermissions);
  await role(world.spareRole, world.team, "spare", ["team.read"]);
  await role(world.strongRole, world.team, "strong", ["team.read", "team.delete"]);
  await role(world.otherRole, world.otherTeam, "other", ["team.read"]);
}

async function makeMembers(put: Put, world: World) {
  const { mark } = world;
  const member = (
    userId: string | null,
    email: string,
    roleId: string,
    status = "accepted",
    team = world.team,
  ) => put("public.team_users", { team_id: team, user_id: userId, email, role_id: roleId, status });
  const { people: ids, email } = world;
  await member(ids.owner, email("owner"), systemRoleIds.owner);
  await member(world.secondOwner, `second-owner-${mark}@matrix.test`, systemRoleIds.owner);
  await member(ids.admin, email("admin"), systemRoleIds.admin);
  await member(ids.editor, email("editor"), systemRoleIds.editor);
  await member(ids.viewer, email("viewer"), systemRoleIds.viewer);
  await member(ids["custom role"], email("custom role"), world.customRole);
  await member(ids["reader of agents"], email("reader of agents"), world.agentReaderRole);
  await member(null, email("invited"), systemRoleIds.viewer, "pending");
  await member(null, email("rejected"), systemRoleIds.viewer, "rejected");
  // Both were owners, so that only the removal and the ban exclude them.
  await member(ids.removed, email("removed"), systemRoleIds.owner);
  await member(ids.banned, email("banned"), systemRoleIds.owner);
  await member(ids.outsider, email("outsider"), systemRoleIds.owner, "accepted", world.otherTeam);
}

async function makeApiKeys(put: Put, world: World) {
  const key = (id: string, roleId: string, keyPrefix: string) =>
    put("public.api_keys", {
      id,
      team_id: world.team,
      name: "Key",
      role_id: roleId,
      prefix: keyPrefix,
      secret_hash: `\\x${"ab".repeat(32)}`,
      created_by: world.people.owner,
      made_at_work: false,
      makers: [],
    });
  await key(world.apiKey, systemRoleIds.editor, world.apiKeyPrefix);
  await key(world.ownerApiKey, systemRoleIds.owner, prefix());
}

async function makeContent(put: Put, world: World) {
  const { team, knowledge, document, vector, mark } = world;
  await put("public.agents", { id: world.agent, team_id: team, name: "Agent", address: world.agentAddress });
  await put("public.agents", { id: world.publicAgent, team_id: team, name: "Public", visibility: "public" });
  await put("public.files", fileRow(world, world.file));
  for (const id of [world.source, world.otherSource])
    await put("public.sources", { id, team_id: team, type: "file", name: "Source" });
  await put("private.source_credentials", { source_id: world.source, team_id: team, ciphertext: "\\x00" });
  await put("public.vectors", { id: vector, name: "Space", model: mark, dimensions: 3 });
  await put("public.vectors", { id: world.spareVector, name: "Spare", model: mark, dimensions: 4 });
  for (const id of [knowledge, world.otherKnowledge])
    await put("public.knowledges", { id, team_id: team, name: "Knowledge" });
  await put("public.knowledge_sources", { team_id: team, knowledge_id: knowledge, source_id: world.source });
  await put("public.agent_knowledges", { team_id: team, agent_id: world.agent, knowledge_id: knowledge });
  for (const id of [document, world.otherDocument])
    await put("public.documents", {
      id,
      team_id: team,
      source_id: world.source,
      external_id: id,
      type: "file",
      title: "Document",
    });
  await put("public.document_indexes", { team_id: team, knowledge_id: knowledge, document_id: document });
  await put("public.document_indexes", {
    team_id: team,
    knowledge_id: world.otherKnowledge,
    document_id: world.otherDocument,
  });
  await put("public.chunks", chunkRow(world, world.chunk, 0));
  await put("public.chunk_words", chunkWordsRow(world, world.chunk));
  await put("public.chunk_embeddings", chunkEmbeddingRow(world, world.chunk));
  await put("public.document_tables", documentTableRow(world, world.table, 0));
  await put("public.table_rows", tableRow(world, 0));
  await put("private.builds", buildRow(world));
  await put("private.unfit_documents", unfitDocumentRow(world));
  await put("private.staged_chunks", stagedChunkRow(world, 0));
  await put("private.document_pieces", documentPieceRow(world, 0));
  await put("private.page_readings", pageReadingRow(world, 0));
  for (const [table, row] of rowsOfTheTeam(world)) await put(table, row);
  // Not due: a worker on the same database must leave this world unchanged.
  await put("public.tasks", {
    id: world.task,
    team_id: team,
    type: "index",
    key: `index:${world.task}`,
    run_after: "2100-01-01T00:00:00Z",
  });
  await put("public.task_attempts", {
    task_id: world.task,
    team_id: team,
    number: 1,
    started_at: "2026-01-01T00:00:00Z",
  });
  await put("private.listings", { task_id: world.task, source_id: world.source, team_id: team });
  await put("private.source_pages", {
    source_id: world.source,
    team_id: team,
    address: "https://acme.example/",
    problem: "The page has no text.",
    task_id: world.task,
  });
  await put("private.listed_items", { task_id: world.task, source_id: world.source, external_id: "item" });
}

async function makePlatformRows(put: Put, world: World) {
  const { mark } = world;
  // Of now: an hourly sweep deletes what is older than two days, whoever calls.
  await put("private.rate_limits", { key: `limit:${mark}`, window_start: new Date().toISOString() });
  await put("private.deleted_teams", { id: world.team });
  await put("private.idempotency_keys", { caller: mark, route: "route", key: "key", body_hash: "hash" });
  await put("private.contested_accounts", { user_id: world.people.outsider });
  await put("private.proven_registrations", { user_id: world.people.outsider });
  await put("private.email_changes", {
    user_id: world.people.outsider,
    new_email: `new-${mark}@matrix.test`,
    new_code: `\\x${mark.repeat(8)}`,
    current_code: `\\x${[...mark].reverse().join("").repeat(8)}`,
  });
  await put("private.login_origins", { user_id: world.people.outsider, origin: mark });
  await put("private.token_rotations", { token_hash: `\\x${mark.repeat(8)}`, session_id: world.session });
  const path = `teams/${world.team}/${world.unwantedObject}`;
  // Not due while the matrix runs.
  await put("private.unwanted_objects", { path, run_after: "2999-01-01T00:00:00Z" });
  await put("private.team_storage", { team_id: world.team });
  await put("private.import_archives", { id: world.team });
  await put("private.storage_changes", { team_id: world.team, bytes: 7, is_checked: false });
  await put("private.signed_uploads", { path, team_id: world.team });
  await put("storage.buckets", { id: world.bucket, name: world.bucket });
  await put("storage.objects", { bucket_id: world.bucket, name: `teams/${world.team}/${world.file}` });
  await put("public.beta_signups", { id: world.betaSignup, email: `beta-${mark}@matrix.test` });
  const email = `bounced-${mark}@matrix.test`;
  await put("public.suppressions", { id: world.suppression, email, reason: "bounce" });
  await put("private.mail_events", { message_id: mark, email, kind: "bounce", final: true });
  await put("public.support_tickets", {
    id: world.supportTicket,
    email: world.email("viewer"),
    subject: "Subject",
    message: "Message",
    user_id: world.people.viewer,
  });
}

async function makeChats(put: Put, world: World) {
  const whose: Record<ChatOwner, Record<string, string>> = {
    viewer: { agent_id: world.agent, user_id: world.people.viewer },
    removed: { agent_id: world.agent, user_id: world.people.removed },
    outsider: { agent_id: world.publicAgent, user_id: world.people.outsider },
    "API key": { agent_id: world.agent, api_key_id: world.apiKey },
    visitor: { agent_id: world.publicAgent, visitor_id: world.visitor },
    "visitor through an app": { agent_id: world.agent, visitor_id: world.appVisitor, channel: "slack" },
  };
  for (const owner of chatOwners) {
    await put("public.chats", { id: world.chats[owner], team_id: world.team, ...whose[owner] });
    await put("public.messages", {
      id: world.messages[owner],
      team_id: world.team,
      chat_id: world.chats[owner],
      // A reply, which its chat's person rates.
      role: "assistant",
      content: "Hello",
    });
  }
  await makeHandovers(put, world);
  for (const owner of ["viewer", "visitor"] as const) {
    await put("public.reply_passages", {
      message_id: world.messages[owner],
      team_id: world.team,
      candidates: [{ chunkId: world.chunk, index: 1, dropped: null, score: 1 }],
    });
  }
}
