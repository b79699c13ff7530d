// The matrix of reversible deletions: only functions write and restore them, and no API role sees them.
import { randomUUID } from "node:crypto";
import { chunkEmbeddingRow, chunkWordsRow } from "../content-rows.ts";
import { deletedRow, deletionRow, keptObjectPath, keptObjectRow } from "../deletion-rows.ts";
import { nobody, type Subject } from "./cells.ts";

export const deletions: Subject[] = [
  {
    table: "private.roots",
    row: "what an agent's chats hang on",
    key: (w) => ({ id: w.agent }),
    select: nobody,
    insert: { row: (w) => ({ id: randomUUID(), team_id: w.team, kind: "agents" }), by: nobody },
    update: { to: () => ({ detached_at: "2026-01-01T00:00:00Z" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.clearings",
    row: "a source that left a knowledge base",
    key: (w) => ({ id: w.clearing }),
    select: nobody,
    insert: { row: (w) => ({ team_id: w.team, source_id: w.source }), by: nobody },
    update: { to: () => ({ is_removing: true }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.deletions",
    row: "a deletion of some minutes ago",
    key: (w) => ({ id: w.deletion }),
    select: nobody,
    insert: { row: deletionRow, by: nobody },
    update: { to: () => ({ expires_at: "2200-01-01" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.deleted_rows",
    row: "a row that went with it",
    key: (w) => ({ deletion_id: w.deletion }),
    select: nobody,
    insert: { row: (w) => ({ ...deletedRow(w), table_name: "public.sources" }), by: nobody },
    update: { to: () => ({ is_reference: true }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.kept_objects",
    row: "the bytes of a file that went with it",
    key: (w) => ({ path: keptObjectPath(w, w.keptObject) }),
    select: nobody,
    insert: { row: (w) => keptObjectRow(w, randomUUID()), by: nobody },
    update: { to: () => ({ deletion_id: null }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.deleted_chunk_words",
    row: "the words of a passage that went with it",
    key: (w) => ({ deletion_id: w.deletion, chunk_id: w.chunk }),
    select: nobody,
    insert: {
      row: (w) => ({ ...chunkWordsRow(w, randomUUID()), lot: 1, deletion_id: w.deletion }),
      by: nobody,
    },
    update: { to: () => ({ lot: 2 }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.deleted_chunk_embeddings",
    row: "the vector of a passage that went with it",
    key: (w) => ({ deletion_id: w.deletion, chunk_id: w.chunk }),
    select: nobody,
    insert: { row: (w) => ({ ...chunkEmbeddingRow(w, randomUUID()), deletion_id: w.deletion }), by: nobody },
    update: { to: () => ({ dimensions: 2 }), by: nobody },
    delete: nobody,
  },
];
