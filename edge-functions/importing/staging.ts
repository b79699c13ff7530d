// Owns staging: converts an archive's entries to checked rows and stored files, which nobody can see yet. Each entry is staged once;
// after an interruption staging continues with the next one. Must not write to the team's tables.
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Transaction } from "../_shared/database/db.ts";
import { parseForeignJson } from "../_shared/outbound/json-depth.ts";
import { newObjectKey, putObject, removeObjects } from "../_shared/storage/storage.ts";
import { sentenceOf } from "../_shared/text/sentences.ts";
import { limits } from "../indexing/parsers/document.ts";
import type { TeamArchive } from "./archive.ts";
import { upgradeLine } from "./first-release.ts";
import { newIdOf } from "./ids.ts";
import { ImportRefused } from "./refusal.ts";
import { mostRows, type TableName, tables } from "./rows.ts";
import type { ArchivedRow } from "./shapes.ts";

/** Runs a transaction that is committed only while this worker still holds the task. */
type Write = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

interface Place {
  archive: TeamArchive;
  teamId: string;
  write: Write;
}

/** One line: a document's text as JSON, with room for escapes. */
const mostLine = 40 * 1024 * 1024;
/** Of one line: a document with as many spans as there may be, each with its fields. A message that cites fifty tables has fewer. */
const mostValues = 10 * limits.structureSpans;
const batchRows = 500;
const batchLength = 2 * 1024 * 1024;

type Numbered = ArchivedRow & { position: number };

/** Stages one table of the archive. A missing table counts as empty. @throws ImportRefused; any error of the archive or of `write` */
export async function stageTable({ archive, teamId, write }: Place, table: TableName): Promise<void> {
  const entry = `tables/${table}.jsonl`;
  // Deletes rows of an interrupted attempt.
  await write((tx) => tx`delete from private.import_rows where team_id = ${teamId} and kind = ${table}`);
  let batch: Numbered[] = [];
  let length = 0;
  const store = async () => {
    const rows = batch;
    batch = [];
    length = 0;
    if (rows.length > 0) await write((tx) => insertRows(tx, teamId, table, rows));
  };
  if (archive.has(entry)) {
    let position = 0;
    for await (const line of linesOf(archive.read(entry), entry)) {
      position++;
      if (position > mostRows[table])
        throw new ImportRefused(sentenceOf("importLines", { entry, limit: mostRows[table] }));
      const row = checkedRow(table, line, { entry, position, isOfFirstRelease: archive.isOfFirstRelease });
      if (!row) continue;
      batch.push({ ...row, position });
      length += line.length;
      if (batch.length >= batchRows || length >= batchLength) await store();
    }
  }
  await store();
  await write((tx) => finish(tx, teamId, entry));
}

type Line = { entry: string; position: number; isOfFirstRelease: boolean };

function checkedRow(table: TableName, line: string, place: Line): ArchivedRow | undefined {
  const { entry, position } = place;
  try {
    const said = parseForeignJson(line, mostValues);
    const value = place.isOfFirstRelease ? upgradeLine(table, said) : said;
    return value === undefined ? undefined : tables[table](value);
  } catch (cause) {
    if (cause instanceof z.ZodError)
      throw new ImportRefused(sentenceOf("importField", { entry, line: position, field: fieldOf(cause) }), {
        cause,
      });
    if (cause instanceof SyntaxError)
      throw new ImportRefused(sentenceOf("importLineNotJson", { entry, line: position }), { cause });
    throw cause;
  }
}

const fieldOf = ({ issues }: z.ZodError) => issues[0]?.path.join(".") ?? "";

async function insertRows(tx: Transaction, teamId: string, table: TableName, rows: Numbered[]) {
  const newIds = rows.map(({ oldId }) => (oldId === undefined ? null : newIdOf(teamId, oldId)));
  const stored = await tx`
    insert into private.import_rows (team_id, kind, position, old_id, new_id, content)
    select ${teamId}, ${table}, r.position, r.old_id, r.new_id, r.content::jsonb
      from unnest(${rows.map(({ position }) => position)}::int[], ${rows.map(({ oldId }) => oldId ?? null)}::uuid[],
                  ${newIds}::uuid[], ${rows.map(({ content }) => JSON.stringify(content))}::text[])
        as r (position, old_id, new_id, content)
    on conflict (team_id, kind, old_id) do nothing returning 1`;
  if (stored.length < rows.length)
    throw new ImportRefused(sentenceOf("importTwice", { entry: `tables/${table}.jsonl` }));
}

async function* linesOf(pieces: AsyncIterable<Uint8Array>, entry: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: string[] = [];
  let length = 0;
  const take = (text: string) => {
    parts.push(text);
    length += text.length;
    if (length > mostLine) throw new ImportRefused(sentenceOf("importLineLong", { entry }));
  };
  const decode = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch (cause) {
      throw new ImportRefused(sentenceOf("importNotText", { entry }), { cause });
    }
  };
  for await (const piece of pieces) {
    const lines = decode(piece).split("\n");
    for (const [at, part] of lines.entries()) {
      take(part);
      if (at === lines.length - 1) continue;
      const line = parts.join("");
      parts = [];
      length = 0;
      if (line.trim() !== "") yield line;
    }
  }
  take(decode());
  const last = parts.join("");
  if (last.trim() !== "") yield last;
}

export interface StagedFile {
  oldId: string;
  newId: string;
  name: string;
  size: number;
  contentType: string;
  sha256: string;
  position: number;
}

/**
 * The next file whose bytes are not stored yet.
 * @param after the position up to which all are stored, so that those are not read again for each file
 */
export async function nextFile(
  tx: Transaction,
  teamId: string,
  after: number,
): Promise<StagedFile | undefined> {
  const [file] = await tx<StagedFile[]>`
    select r.old_id, r.new_id, r.content ->> 'name' as name, (r.content ->> 'size')::bigint as size,
           r.content ->> 'content_type' as content_type, r.content ->> 'sha256' as sha256, r.position
      from private.import_rows r
     where r.team_id = ${teamId} and r.kind = 'files' and r.position > ${after} and not r.content ? 'stored'
     order by r.position limit 1`;
  return file;
}

/** Stores one file's bytes, or records that the archive has none. @throws ImportRefused; any error of the archive or of `write` */
export async function stageFile({ archive, teamId, write }: Place, file: StagedFile): Promise<void> {
  const entry = archive.entryOfFile(file.oldId);
  if (entry) {
    const key = newObjectKey(teamId, file.newId);
    // Deletes an object left by an attempt that was interrupted before it was recorded.
    await removeObjects([key]);
    await store(archive.read(entry), key, file);
  }
  await write(
    (tx) => tx`
      update private.import_rows r set content = r.content || jsonb_build_object('stored', ${entry !== undefined}::boolean)
       where r.team_id = ${teamId} and r.kind = 'files' and r.old_id = ${file.oldId}`,
  );
}

async function store(
  bytes: AsyncGenerator<Uint8Array>,
  key: ReturnType<typeof newObjectKey>,
  file: StagedFile,
) {
  const hash = createHash("sha256");
  let size = 0;
  let problem: unknown;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await bytes.next();
          if (done) {
            if (size !== file.size || hash.digest("hex") !== file.sha256)
              throw new ImportRefused(sentenceOf("importOtherFile", { file: file.name }));
            return controller.close();
          }
          size += value.length;
          hash.update(value);
          controller.enqueue(value);
        } catch (error) {
          problem = error;
          throw error;
        }
      },
      cancel: async () => void (await bytes.return(undefined)),
    },
    { highWaterMark: 0 },
  );
  try {
    await putObject(key, body, file.contentType);
  } catch (error) {
    // fetch wraps the error of its body.
    throw problem ?? error;
  }
}

/** Records what need not be done again after an interruption. */
export async function finish(tx: Transaction, teamId: string, step: string): Promise<void> {
  await tx`update public.team_imports set finished = finished || ${[step]}::text[] where team_id = ${teamId}`;
}
