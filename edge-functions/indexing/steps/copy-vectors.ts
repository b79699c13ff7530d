// Owns how new vectors reach Postgres: as binary rows of COPY, in half precision. The embedded Postgres takes 0.1 ms to read a vector of
// 1,024 numbers written as text, ten times as long as these bytes.
import { Buffer } from "node:buffer";
import type { Transaction } from "../../_shared/database/db.ts";
import { writeHalves } from "../half-precision.ts";

/** A row of public.chunk_embeddings. */
export interface EmbeddedChunk {
  teamId: string;
  knowledgeId: string;
  vectorId: string;
  chunkId: string;
  vector: Float32Array;
}

/** Await it before the transaction's next statement. */
export async function copyVectors(tx: Transaction, chunks: EmbeddedChunk[]): Promise<void> {
  if (chunks.length === 0) return;
  const copying = tx`
    copy public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
    from stdin (format binary)`;
  const failed = failureOf(copying);
  const into = await copying.writable();
  const written = new Promise<void>((resolve, reject) => {
    into.once("error", reject);
    into.once("finish", resolve);
    into.end(rowsOf(chunks));
  });
  await Promise.race([written, failed]);
}

/**
 * Rejects when the statement fails. postgres.js 3.4.9 resolves a COPY with its stream, and never ends the stream when Postgres refuses the
 * rows.
 */
function failureOf(copying: Promise<unknown>): Promise<never> {
  const failed = new Promise<never>((_, fail) => {
    const query = copying as typeof copying & { reject(error: unknown): void };
    const { reject } = query;
    query.reject = (error) => {
      reject(error);
      fail(error);
    };
  });
  failed.catch(() => {});
  return failed;
}

const header = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const columns = 6;
const idBytes = 4 + 16;

/** COPY's binary form: https://www.postgresql.org/docs/current/sql-copy.html */
function rowsOf(chunks: EmbeddedChunk[]): Buffer {
  const sizes = chunks.map(({ vector }) => 2 + 4 * idBytes + 8 + 8 + 2 * vector.length);
  const rows = Buffer.alloc(header.length + sizes.reduce((sum, size) => sum + size, 0) + 2);
  let at = header.copy(rows);
  for (const { teamId, knowledgeId, vectorId, chunkId, vector } of chunks) {
    at = rows.writeInt16BE(columns, at);
    for (const id of [teamId, knowledgeId, vectorId, chunkId]) {
      at = rows.writeInt32BE(16, at);
      at += rows.write(id.replaceAll("-", ""), at, "hex");
    }
    at = rows.writeInt32BE(4, at);
    at = rows.writeInt32BE(vector.length, at);
    // A halfvec: its length in bytes, its dimensions, an unused number, its numbers.
    at = rows.writeInt32BE(4 + 2 * vector.length, at);
    at = rows.writeInt16BE(vector.length, at);
    at = rows.writeInt16BE(0, at);
    at = writeHalves(rows, vector, at);
  }
  rows.writeInt16BE(-1, at);
  return rows;
}
