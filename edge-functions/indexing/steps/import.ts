// Imports a team from its archive: validates and stages it entry by entry, writes what can be very many in slices, hidden, and the rest in
// the transaction that ends the task. Until then the team is empty; a takeover resumes after the last finished entry or slice.
import { asCaller } from "../../_shared/database/db.ts";
import { ApiError, fromPostgres, isDiskFull } from "../../_shared/requests/errors.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { applyImport } from "../../importing/applying.ts";
import { TeamArchive } from "../../importing/archive.ts";
import { hiddenKinds, makeHiddenRoots, type Written, writeHidden } from "../../importing/hidden-rows.ts";
import { ArchiveBytes, type StoredArchive } from "../../importing/parts.ts";
import { ImportRefused } from "../../importing/refusal.ts";
import { tableNames } from "../../importing/rows.ts";
import { finish, nextFile, stageFile, stageTable } from "../../importing/staging.ts";
import { StorageUnavailable } from "../connectors/connector.ts";
import { endSlice, type StepContext } from "./context.ts";
import { refusingStorage } from "./storage.ts";

interface Import extends StoredArchive {
  finished: string[];
  written: Written;
  createdBy: string | null;
}

/** @throws ImportRefused, StorageUnavailable; PutDown, ClaimLost and the signal's reason, as every step */
export async function importTeam(context: StepContext): Promise<void> {
  try {
    await work(context);
  } catch (error) {
    const translated = translateError(error);
    throw translated instanceof ImportRefused ? await blameImporter(context, translated) : translated;
  }
}

/** A refusal of somebody who lost the rights while the import ran, or the account: their archive is not at fault. */
async function blameImporter({ claim }: StepContext, refused: ImportRefused): Promise<ImportRefused> {
  const { teamId } = claim.task;
  const [row] = await claim.read(
    (tx) => tx<{ createdBy: string | null }[]>`
      select created_by from public.team_imports where team_id = ${teamId}`,
  );
  if (!row) return refused;
  if (!row.createdBy) return new ImportRefused(sentenceOf("importNobody"), { cause: refused });
  if (await mayImport(row.createdBy, teamId)) return refused;
  return new ImportRefused(sentenceOf("importNoRights"), { cause: refused });
}

/** What the last transaction writes as the importing person. */
const rightsToImport = ["roles.write", "agents.write", "knowledges.write", "sources.write", "apps.write"];

async function mayImport(userId: string, teamId: string): Promise<boolean> {
  const [row] = await asCaller(
    { role: "authenticated", sub: userId },
    (tx) => tx<{ may: boolean }[]>`
      select bool_and(${teamId} = any (private.teams_with(r.permission))) as may
        from unnest(${rightsToImport}::text[]) r (permission)`,
  );
  return row?.may ?? false;
}

async function work(context: StepContext): Promise<void> {
  const { claim } = context;
  const { teamId } = claim.task;
  claim.signal.throwIfAborted();
  claim.report({ code: "importChecking" });
  const [known] = await claim.read(
    (tx) => tx<Import[]>`
      select archive, parts, size, finished, written, created_by from public.team_imports where team_id = ${teamId}`,
  );
  if (!known?.createdBy) throw new ImportRefused(sentenceOf("importNobody"));
  const userId = known.createdBy;
  const archive = await TeamArchive.open(new ArchiveBytes(known));
  await refuseOversized(context, archive);
  const place = {
    archive,
    teamId,
    userId,
    write: <T>(...[work]: Parameters<typeof claim.achieve<T>>) => claim.achieve(work),
  };
  const total =
    tableNames.length +
    archive.names.filter((name) => name.startsWith("files/")).length +
    hiddenKinds.length +
    1;
  let done = tableNames.filter((table) => known.finished.includes(`tables/${table}.jsonl`)).length;
  for (const table of tableNames) {
    if (known.finished.includes(`tables/${table}.jsonl`)) continue;
    claim.report({ code: "importReading", params: { name: `tables/${table}.jsonl` }, done, total });
    await stageTable(place, table);
    done++;
    endSlice(context);
  }
  const limit = await limitBelowFiles(context);
  if (limit !== null) throw storageRefused(limit);
  done += await countStored(context);
  for (let after = 0; ; done++) {
    const file = await claim.read((tx) => nextFile(tx, teamId, after));
    if (!file) break;
    after = file.position;
    claim.report({ code: "importStoring", params: { name: file.name }, done, total });
    await stageFile(place, file);
    endSlice(context);
  }
  if (!known.finished.includes("roots")) {
    await claim.achieve((tx) => tx`select private.analyze_imports()`);
    await claim.achieve(async (tx) => {
      await makeHiddenRoots(tx, teamId);
      await finish(tx, teamId, "roots");
    });
  }
  for (const kind of hiddenKinds) {
    claim.report({ code: "importWriting", params: {}, done: done++, total });
    // Each message is checked against its chat. Once: a large team takes many turns.
    if (kind === "messages" && !known.written.messages)
      await claim.achieve((tx) => tx`select private.analyze_imports()`);
    await writeHidden(place, kind, {
      read: (work) => claim.read(work),
      endSlice: () => endSlice(context),
    });
  }
  claim.report({ done: total, total });
  await claim.end(
    "succeeded",
    { code: "imported" },
    async (tx) => void (await applyImport(tx, { teamId, userId })),
  );
}

/** Tables may unpack to this much in any case: chats, which take no room in a team's storage, are most of many exports. */
const mostTables = 1024 * 1024 * 1024;

/**
 * Refuses what cannot fit before it is staged: staged rows count for no team, so an archive of bombs would otherwise fill the database
 * until its import ends.
 */
async function refuseOversized({ claim }: StepContext, archive: TeamArchive): Promise<void> {
  const [row] = await claim.read(
    (tx) => tx<{ limit: number }[]>`
      select l.team_storage::float8 as limit from private.operator_limits l where l.team_storage is not null`,
  );
  if (!row) return;
  const { limit } = row;
  const isOver =
    archive.bytesBelow("files/") > limit || archive.bytesBelow("tables/") > Math.max(limit, mostTables);
  if (isOver) throw storageRefused(limit);
}

async function countStored({ claim }: StepContext): Promise<number> {
  const [row] = await claim.read(
    (tx) => tx<{ stored: number }[]>`
      select count(*)::int as stored from private.import_rows r
       where r.team_id = ${claim.task.teamId} and r.kind = 'files' and r.content ? 'stored'`,
  );
  return row?.stored ?? 0;
}

/** The bytes that a team may store, when the archive's files alone are more. What fits is checked again when all is written. */
async function limitBelowFiles({ claim }: StepContext): Promise<number | null> {
  const [row] = await claim.read(
    (tx) => tx<{ limit: number }[]>`
      select l.team_storage as limit from private.operator_limits l
       where l.team_storage < (select coalesce(sum((r.content ->> 'size')::bigint), 0) from private.import_rows r
                                where r.team_id = ${claim.task.teamId} and r.kind = 'files')`,
  );
  return row?.limit ?? null;
}

const storageRefused = (limit: number, cause?: unknown) =>
  new ImportRefused(sentenceOf("importStorage", { limit: Math.floor(limit / 2 ** 20) }), { cause });

/** Translates an error for the import: a row that violates a table's rule will violate it again. */
function translateError(error: unknown): unknown {
  if (isDiskFull(error)) return error;
  if (error instanceof ApiError && error.code === "UNAVAILABLE") return new StorageUnavailable(error);
  if (error instanceof ApiError && error.code === "NOT_FOUND")
    return new ImportRefused(sentenceOf("importGone"), { cause: error });
  const full = refusingStorage(error);
  if (full) return storageRefused(full.limit, error);
  const known = fromPostgres(error);
  if (!known || known.code === "UNAVAILABLE") return error;
  const rule = error instanceof Error && "constraint_name" in error ? error.constraint_name : undefined;
  if (!rule)
    return new ImportRefused(sentenceOf("importRow"), {
      cause: error,
    });
  return new ImportRefused(sentenceOf("importRowRule", { rule: String(rule) }), { cause: error });
}
