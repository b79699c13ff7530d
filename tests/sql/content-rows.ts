// Owns the rows of a world's content: files, pieces of documents, chunks and their derivatives.
import type { World } from "./world.ts";

export function fileRow(world: World, id: string) {
  return {
    id,
    team_id: world.team,
    name: "file.txt",
    type: "document",
    content_type: "text/plain",
    size: 1,
    path: `teams/${world.team}/${id}`,
    sha256: "0".repeat(64),
  };
}

export function fileVersionRow(world: World, number: number) {
  const { id: file_id, ...content } = fileRow(world, world.file);
  return { ...content, file_id, number };
}

export const teamImportRow = (team: string) => ({
  team_id: team,
  archive: "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42",
  parts: 1,
  size: 1,
  sha256: "0".repeat(64),
});

export const importRow = (team: string, position: number) => ({
  team_id: team,
  kind: "agents",
  position,
  content: { name: "Agent" },
});

export function chunkRow(world: World, id: string, position: number) {
  return {
    id,
    team_id: world.team,
    knowledge_id: world.knowledge,
    source_id: world.source,
    document_id: world.document,
    position,
    content: "text",
    start_offset: 0,
    end_offset: 4,
    tokens: 1,
    content_hash: "hash",
    heading: "",
  };
}

/** The narrow row that search ranks a chunk by. */
export function chunkWordsRow(world: World, chunk: string) {
  return { team_id: world.team, knowledge_id: world.knowledge, chunk_id: chunk, words: "{1:1}/1000000000" };
}

export function chunkEmbeddingRow({ team, knowledge, vector }: World, chunk: string) {
  return {
    team_id: team,
    knowledge_id: knowledge,
    vector_id: vector,
    chunk_id: chunk,
    dimensions: 3,
    embedding: "[1,0,0]",
  };
}

export function buildRow({ team, knowledge, document, vector }: World) {
  return {
    team_id: team,
    knowledge_id: knowledge,
    document_id: document,
    signature: "hash",
    vector_id: vector,
    fence: 1,
  };
}

export function unfitDocumentRow({ team, document }: World) {
  return { team_id: team, document_id: document, revision: "read", builds: "", bytes: 1 };
}

export function pageReadingRow({ team, document }: World, page: number) {
  return { team_id: team, document_id: document, revision: "read", page: page + 1, text: "Scanned words." };
}

export function documentPieceRow({ team, document }: World, position: number) {
  return { team_id: team, document_id: document, revision: "hash", position, pages: ["page"] };
}

export function stagedChunkRow(world: World, position: number) {
  return {
    knowledge_id: world.knowledge,
    document_id: world.document,
    fence: 1,
    position,
    team_id: world.team,
    vector_id: world.vector,
    content: "text",
    start_offset: 0,
    end_offset: 4,
    heading: "",
    tokens: 1,
    content_hash: "hash",
  };
}

/** A table with one column. */
export const documentTableRow = (world: World, id: string, position: number) => ({
  id,
  team_id: world.team,
  knowledge_id: world.knowledge,
  document_id: world.document,
  position,
  columns: JSON.stringify([{ name: "Price", kind: "number", unit: "EUR" }]),
  rows_count: 1,
});

export const tableRow = (world: World, position: number) => ({
  team_id: world.team,
  knowledge_id: world.knowledge,
  table_id: world.table,
  position,
  cells: "{4}",
  numbers: "{4}",
  start_offset: 0,
  end_offset: 4,
});

export const modelRow = ({ team }: World, role: string) => ({
  team_id: team,
  role,
  provider: "custom",
  base_url: "https://models.example/v1",
  model: "model",
  api_key: "\\x00",
});

export const modelUsageRow = ({ team }: World, channel: string) => ({
  team_id: team,
  day: "2026-01-31",
  agent_id: "00000000-0000-0000-0000-000000000000",
  channel,
  kind: "chat",
  model: "model",
  calls: 1,
  prompt_tokens: 1,
  completion_tokens: 1,
  estimated_tokens: 0,
  unpriced_tokens: 0,
  cost: 0.5,
});

export const modelReservationRow = ({ team }: World) => ({
  team_id: team,
  cost: 1,
  expires_at: "2999-01-01T00:00:00Z",
});

/** Rows of which a team has one, by table. */
export function rowsOfTheTeam(world: World): [string, Record<string, unknown>][] {
  const { team } = world;
  return [
    ["public.team_imports", teamImportRow(team)],
    ["private.import_rows", importRow(team, 1)],
    ["private.models", modelRow(world, "chat")],
    ["private.model_budgets", { team_id: team, month: "2026-01-01" }],
    ["private.model_reservations", modelReservationRow(world)],
    ["public.model_usage", modelUsageRow(world, "web")],
  ];
}
