// Owns the rows of a world's reversible deletion.
import { randomUUID } from "node:crypto";
import { chunkEmbeddingRow, chunkWordsRow } from "./content-rows.ts";
import type { Put } from "./putter.ts";
import type { World } from "./world.ts";

export interface DeletionIds {
  deletion: string;
  clearing: string;
  keptObject: string;
}

export const deletionIds = (): DeletionIds => ({
  deletion: randomUUID(),
  clearing: randomUUID(),
  keptObject: randomUUID(),
});

export async function makeDeletions(put: Put, world: World) {
  const deletion_id = world.deletion;
  // Of the root of a key: one of a source would hide its passages.
  await put("private.clearings", { id: world.clearing, team_id: world.team, source_id: world.apiKey });
  await put("private.deletions", { ...deletionRow(world), id: deletion_id });
  await put("private.deleted_rows", deletedRow(world));
  await put("private.kept_objects", keptObjectRow(world, world.keptObject));
  await put("private.deleted_chunk_words", { ...chunkWordsRow(world, world.chunk), lot: 1, deletion_id });
  await put("private.deleted_chunk_embeddings", { ...chunkEmbeddingRow(world, world.chunk), deletion_id });
}

export const deletionRow = ({ team }: World) => ({
  id: randomUUID(),
  team_id: team,
  kind: "agents",
  row_id: randomUUID(),
  expires_at: "2100-01-01T00:00:00Z",
});

export const keptObjectPath = ({ team }: World, id: string) => `teams/${team}/${id}`;
export const keptObjectRow = (world: World, id: string) => ({
  path: keptObjectPath(world, id),
  team_id: world.team,
  file_id: world.file,
  copy_of: keptObjectPath(world, world.file),
  deletion_id: world.deletion,
});

export const deletedRow = ({ deletion }: World) => ({
  deletion_id: deletion,
  table_name: "public.agents",
  keys: {},
  content: {},
});
