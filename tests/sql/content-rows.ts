// Rows of a world's content: files, pieces of documents, chunks and what is built of them.
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
