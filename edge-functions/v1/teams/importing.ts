// Owns starting an import: stores the archive as it streams, validates it, and creates a new team with a task. Does not read its rows:
// the task does.
import { randomUUID } from "node:crypto";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { z } from "zod";
import { asCallerThenService, asService, type Claims, type Transaction } from "../../_shared/database/db.ts";
import { ApiError, fromPostgres, isRefusal } from "../../_shared/requests/errors.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { TeamArchive } from "../../importing/archive.ts";
import { upgradeTeam } from "../../importing/first-release.ts";
import {
  ArchiveBytes,
  ArchiveMeter,
  discardArchive,
  maxArchiveBytes,
  measureChunks,
  type StoredArchive,
  storeArchive,
} from "../../importing/parts.ts";
import { ImportRefused } from "../../importing/refusal.ts";
import { inTime, type Upload } from "../bodies.ts";
import { requireRow } from "../router.ts";
import type { TeamImport } from "./import-schema.ts";
import { createTeam } from "./queries.ts";
import { type NewTeam, newTeam, type Team } from "./schema.ts";

type Wanted = { name?: string | undefined; codename?: string | undefined };

/**
 * Stores an archive and creates its team, empty, with the task that fills it.
 * @throws ApiError VALIDATION_FAILED for a file that is not an export, CONFLICT for a codename that is taken, PAYLOAD_TOO_LARGE
 */
export async function startImport(claims: Claims, request: Request, wanted: Wanted) {
  const meter = new ArchiveMeter();
  const stored = await storeArchive(await newArchive(), measureBody(request, meter));
  const archive = { size: stored.size, sha256: meter.hash.digest("hex") };
  try {
    if (stored.size === 0) throw new ImportRefused(sentenceOf("importEmpty"));
    const exported = await readTeam(stored);
    const { team, taskId } = await createImportedTeam(claims, stored, { ...wanted, archive, exported });
    return { taskId, teamId: team.id, name: team.name, codename: team.codename, archive };
  } catch (error) {
    // After any other error the team may exist, with the task that reads the archive.
    if (error instanceof ImportRefused || isRefusal(error)) await discardArchive(stored);
    if (!(error instanceof ImportRefused)) throw error;
    const { message } = error;
    throw new ApiError("VALIDATION_FAILED", message, { details: [{ path: "body", message }] });
  }
}

/** Chooses and notes the id that an archive is stored under: a process that is killed while it stores leaves no bytes that nobody finds. */
async function newArchive(): Promise<string> {
  const id = randomUUID();
  await asService((tx) => tx`insert into private.import_archives (id) values (${id})`);
  return id;
}

/** The size and hash of an archive, read to its end without storing it. */
async function measureArchive(request: Request): Promise<{ size: number; sha256: string }> {
  const meter = new ArchiveMeter();
  for await (const chunk of measureBody(request, meter)) void chunk;
  return { size: meter.size, sha256: meter.hash.digest("hex") };
}

/** Declared by the import route. */
export const archiveUpload: Upload = {
  type: "application/zip",
  otherwise: "Send the archive as it is, as application/zip.",
  maxBytes: maxArchiveBytes,
  status: 202,
  measure: async (request) => {
    const { size, sha256 } = await measureArchive(request);
    return [size, sha256];
  },
  measured: z
    .object({ archive: z.object({ size: z.number(), sha256: z.string() }) })
    .transform(({ archive: { size, sha256 } }) => [size, sha256]),
};

/** Fails when the body stops arriving. */
async function* measureBody(request: Request, meter: ArchiveMeter): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  // Node's and the DOM's streams are the same at run time; only their types differ.
  const iterator = (request.body as NodeReadableStream<Uint8Array>)[Symbol.asyncIterator]();
  const chunks: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({ next: () => inTime(() => iterator.next()) }),
  };
  yield* measureChunks(chunks, meter);
}

type ExportedTeam = { name: string; codename?: string | undefined; offersHandovers: boolean };

/** The exported team's name and codename, if they are valid here, and whether its agents offer a person. */
async function readTeam(stored: StoredArchive): Promise<ExportedTeam> {
  const archive = await TeamArchive.open(new ArchiveBytes(stored));
  const exported = await archive.json("team.json");
  const said = archive.isOfFirstRelease ? upgradeTeam(exported) : exported;
  const name = newTeam.shape.name.safeParse(property(said, "name"));
  if (!name.success) throw new ImportRefused(sentenceOf("importNoTeam"));
  return {
    name: name.data,
    codename: newTeam.shape.codename.safeParse(property(said, "codename")).data,
    offersHandovers: property(said, "offersHandovers") !== false,
  };
}

const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

type Sum = { size: number; sha256: string };
type Beside = { archive: Sum; exported: ExportedTeam };

/** Creates the team with the requested codename, else the archive's if it is free, else one that Postgres derives from the name. */
async function createImportedTeam(
  claims: Claims,
  stored: StoredArchive,
  { name, codename, ...beside }: Wanted & Beside,
) {
  const { exported } = beside;
  const given = { name: name ?? exported.name };
  try {
    return await createNamed(claims, stored, { ...given, codename: codename ?? exported.codename }, beside);
  } catch (error) {
    if (codename !== undefined || exported.codename === undefined) throw error;
    if (fromPostgres(error)?.code !== "CONFLICT") throw error;
    return await createNamed(claims, stored, given, beside);
  }
}

async function createNamed(
  claims: Claims,
  stored: StoredArchive,
  named: NewTeam,
  { archive: { size, sha256 }, exported: { offersHandovers } }: Beside,
) {
  return await asCallerThenService(
    claims,
    async (tx) => requireRow(await createTeam(tx, named)),
    async (tx, team: Team) => {
      await tx`
        insert into public.team_imports (team_id, archive, parts, size, sha256, created_by)
        select t.id, ${stored.archive}, ${stored.parts}, ${size}, ${sha256}, t.created_by
          from public.teams t where t.id = ${team.id}`;
      if (!offersHandovers)
        await tx`insert into private.handover_settings (team_id, is_offered) values (${team.id}, false)`;
      const [task] = await tx<{ id: string }[]>`
        select private.enqueue_task(${team.id}, 'import', ${`import:team:${team.id}`}) as id`;
      await tx`
        update public.tasks k set created_by = t.created_by
          from public.teams t where t.id = k.team_id and k.id = ${requireRow(task).id}`;
      return { team, taskId: requireRow(task).id };
    },
  );
}

export async function readImport(tx: Transaction, teamId: string): Promise<TeamImport | undefined> {
  const [row] = await tx<TeamImport[]>`
    select i.team_id, (select t.id from public.tasks t where t.team_id = i.team_id and t.type = 'import' limit 1) as task_id,
           i.size, i.sha256, i.report, i.created_at, i.updated_at
      from public.team_imports i where i.team_id = ${teamId}`;
  return row;
}
