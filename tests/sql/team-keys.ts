// Every unique and foreign key of a team's table that does not carry team_id, and what becomes of it on a Postgres that is distributed
// by team (docs/decisions/0077-keys-and-teams.md). team-keys.test.ts compares the list with the database.

/** A row's own id: its table has a unique key on (team_id, id) as well, which takes its place. */
const id = "the id: (team_id, id) takes its place";
/** Ids of rows of one team: with team_id before them they say the same. */
const parts = "ids of one team's rows: team_id goes before them";
const everywhere = (why: string) =>
  `unique over all teams, since ${why}: a small table of its own, on every node, keeps it`;

export const uniqueKeys: Record<string, string> = {
  agents_pkey: id,
  api_keys_pkey: "the id: (team_id, id), which no key holds yet, takes its place",
  apps_pkey: id,
  chats_pkey: id,
  chunks_pkey: id,
  documents_pkey: id,
  files_pkey: id,
  knowledges_pkey: id,
  messages_pkey: id,
  sources_pkey: id,
  tasks_pkey: id,
  team_users_pkey: "the id: nothing points to it, and team_id goes before it",
  roles_pkey: "the id: the system's roles have no team, so the table is a copy on every node",
  agent_knowledges_pkey: parts,
  "private.builds_pkey": parts,
  chunk_embeddings_pkey: parts,
  chunks_knowledge_id_document_id_position_key: parts,
  document_indexes_pkey: parts,
  "private.document_pieces_pkey": parts,
  documents_source_id_external_id_key: parts,
  knowledge_sources_pkey: parts,
  "private.listings_pkey": parts,
  messages_streaming_key: parts,
  reply_passages_pkey: parts,
  "private.source_credentials_pkey": parts,
  "private.staged_chunks_pkey": parts,
  task_attempts_pkey: parts,
  tasks_queued_key: "a task's key names an id of one team's row: team_id goes before it",
  tasks_running_key: "a task's key names an id of one team's row: team_id goes before it",
  apps_connected_key: "an agent is one team's: team_id goes before it",
  files_path_key: "a path begins with its team: team_id goes before it",
  api_keys_prefix_key: everywhere("a key is looked up before its team is known"),
  "private.slack_threads_pkey": everywhere("Slack names a thread and no team"),
};

const account = "an account is in many teams: public.users is a copy on every node";
const space = "an embedding space is every team's: public.vectors is a copy on every node";
const role = "a role may be the system's: public.roles is a copy on every node";
const withTeam = "both rows are one team's: the key is made over (team_id, …)";

export const foreignKeys: Record<string, string> = {
  agents_created_by_fkey: account,
  api_keys_created_by_fkey: account,
  apps_created_by_fkey: account,
  chats_user_id_fkey: account,
  files_created_by_fkey: account,
  knowledges_created_by_fkey: account,
  messages_user_id_fkey: account,
  sources_created_by_fkey: account,
  tasks_created_by_fkey: account,
  team_imports_created_by_fkey: account,
  team_users_invited_by_fkey: account,
  team_users_user_id_fkey: account,
  builds_vector_id_fkey: space,
  chunk_embeddings_vector_id_fkey: space,
  knowledges_vector_id_fkey: space,
  staged_chunks_vector_id_fkey: space,
  api_keys_role_id_fkey: role,
  team_users_role_id_fkey: role,
  builds_knowledge_id_document_id_fkey: withTeam,
  chats_api_key_id_fkey: withTeam,
  listings_source_id_fkey: withTeam,
  listings_task_id_fkey: withTeam,
  messages_api_key_id_fkey: withTeam,
  source_credentials_source_id_fkey: withTeam,
  staged_chunks_knowledge_id_document_id_fkey: withTeam,
};

export const replacedByTeamAndId = id;
