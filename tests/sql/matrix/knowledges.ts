// The matrix of knowledges and all that indexing makes.
import { randomUUID } from "node:crypto";
import { holding } from "../../support/actors.ts";
import { buildRow, chunkRow, documentPieceRow, stagedChunkRow } from "../content-rows.ts";
import { prefix, type World } from "../world.ts";
import { atWork, loggedIn, nobody, type Row, type Subject } from "./cells.ts";

const newKnowledge = (world: World): Row => ({ team_id: world.team, name: "New" });

export const knowledges: Subject[] = [
  {
    table: "public.vectors",
    row: "an embedding space",
    key: (w) => ({ id: w.spareVector }),
    select: loggedIn,
    insert: { row: () => ({ name: "New", model: prefix(), dimensions: 3 }), by: [atWork] },
    update: { to: () => ({ status: "disabled" }), by: [atWork] },
    delete: [atWork],
  },
  {
    table: "public.knowledges",
    row: "a knowledge of the answering agent",
    key: (w) => ({ id: w.knowledge }),
    select: [...holding("knowledges.read"), "answering agent"],
    insert: { row: newKnowledge, by: holding("knowledges.write") },
    update: { to: () => ({ name: "Changed" }), by: holding("knowledges.write") },
    delete: holding("knowledges.write"),
  },
  {
    table: "public.knowledges",
    row: "a knowledge that the answering agent does not have",
    key: (w) => ({ id: w.otherKnowledge }),
    select: holding("knowledges.read"),
    insert: { row: (w) => ({ ...newKnowledge(w), vector_id: w.vector }), by: nobody },
    update: { to: () => ({ status: "ready" }), by: nobody },
    delete: holding("knowledges.write"),
  },
  {
    table: "public.knowledge_sources",
    row: "a knowledge's source",
    key: (w) => ({ knowledge_id: w.knowledge, source_id: w.source }),
    select: holding("knowledges.read"),
    insert: {
      row: (w) => ({ team_id: w.team, knowledge_id: w.knowledge, source_id: w.otherSource }),
      by: holding("knowledges.write", "sources.read"),
    },
    update: { to: (w) => ({ source_id: w.otherSource }), by: nobody },
    delete: holding("knowledges.write"),
  },
  {
    table: "public.document_indexes",
    row: "how far a document's index is",
    key: (w) => ({ knowledge_id: w.knowledge, document_id: w.document }),
    select: [...holding("knowledges.read"), "answering agent"],
    insert: {
      row: (w) => ({ team_id: w.team, knowledge_id: w.otherKnowledge, document_id: w.document }),
      by: nobody,
    },
    update: { to: () => ({ status: "ready" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.chunks",
    row: "a chunk",
    key: (w) => ({ id: w.chunk }),
    select: [...holding("knowledges.read"), "answering agent"],
    insert: { row: (w) => chunkRow(w, randomUUID(), 1), by: nobody },
    update: { to: () => ({ content: "Changed" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.chunk_words",
    row: "a chunk's words",
    key: (w) => ({ chunk_id: w.chunk }),
    select: [...holding("knowledges.read"), "answering agent"],
    insert: {
      row: (w) => ({
        team_id: w.team,
        knowledge_id: w.knowledge,
        chunk_id: w.chunk,
        // Not the row that is there.
        words: "{2:1}/1000000000",
      }),
      by: nobody,
    },
    update: { to: () => ({ lot: 1 }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.chunk_embeddings",
    row: "a chunk's embedding",
    key: (w) => ({ chunk_id: w.chunk }),
    select: [...holding("knowledges.read"), "answering agent"],
    insert: {
      row: (w) => ({
        team_id: w.team,
        knowledge_id: w.knowledge,
        vector_id: w.spareVector,
        chunk_id: w.chunk,
        dimensions: 4,
        embedding: "[1,0,0,0]",
      }),
      by: nobody,
    },
    update: { to: () => ({ dimensions: 4 }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.staged_chunks",
    row: "a chunk that is being made",
    key: (w) => ({ document_id: w.document }),
    select: nobody,
    insert: { row: (w) => stagedChunkRow(w, 1), by: nobody },
    update: { to: () => ({ content: "Changed" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.builds",
    row: "how far a build is",
    key: (w) => ({ document_id: w.document }),
    select: nobody,
    insert: {
      row: (w) => ({ ...buildRow(w), knowledge_id: w.otherKnowledge, document_id: w.otherDocument }),
      by: nobody,
    },
    update: { to: () => ({ total: 1 }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.document_pieces",
    row: "pages of a document that is being read",
    key: (w) => ({ document_id: w.document }),
    select: nobody,
    insert: { row: (w) => documentPieceRow(w, 1), by: nobody },
    update: { to: () => ({ revision: "other" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.listings",
    row: "how far a listing is",
    key: (w) => ({ task_id: w.task }),
    select: nobody,
    insert: { row: (w) => ({ task_id: w.task, source_id: w.otherSource, team_id: w.team }), by: nobody },
    update: { to: () => ({ listed: 1 }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.listed_items",
    row: "an item that a listing met",
    key: (w) => ({ task_id: w.task }),
    select: nobody,
    insert: { row: (w) => ({ task_id: w.task, source_id: w.source, external_id: "new" }), by: nobody },
    update: { to: () => ({ external_id: "changed" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.tasks",
    row: "a task",
    key: (w) => ({ id: w.task }),
    select: holding("tasks.read"),
    insert: { row: (w) => ({ team_id: w.team, type: "index", key: prefix() }), by: nobody },
    update: { to: () => ({ status: "stopped" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.task_attempts",
    row: "an attempt at a task",
    key: (w) => ({ task_id: w.task, number: "1" }),
    select: holding("tasks.read"),
    insert: {
      row: (w) => ({ team_id: w.team, task_id: w.task, number: 2, started_at: "2026-01-01T00:00:00Z" }),
      by: nobody,
    },
    update: { to: () => ({ status: "failed" }), by: nobody },
    delete: nobody,
  },
];
