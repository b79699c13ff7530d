// Owns a bench for the indexing function: the real Postgres, storage and a model provider as HTTP servers, a team with files, and the
// function itself, in this process or as production's Deno process.
import { type ChildProcess, execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { buffer, json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Sql } from "postgres";
import { closeDatabase } from "../../edge-functions/_shared/database/db.ts";
import { readTeamModels } from "../../edge-functions/_shared/models/team-models.ts";
import type { BudgetLimits } from "../../edge-functions/indexing/budget.ts";
import { type Embedder, embedderOf } from "../../edge-functions/indexing/embedding.ts";
import { endParsers } from "../../edge-functions/indexing/parse-guarded.ts";
import { Ticker } from "../../edge-functions/indexing/tick.ts";
import { type DenoFunction, denoArgs, denoPath, spawnDenoFunction } from "./deno-function.ts";
import { type OpenAiFake, startOpenAiFake } from "./fakes/openai.ts";
import { startTestPostgres, type TestPostgres } from "./postgres.ts";
import { startUpstream } from "./upstream.ts";

const projectDir = fileURLToPath(new URL("../..", import.meta.url));
const serviceKey = "the-service-key-of-the-tests";

export interface Task {
  id: string;
  status: string;
  done: number;
  total: number;
  message_code: string;
  message_params: Record<string, unknown>;
  error: string | null;
  attempts: number;
}

export interface DocumentRow {
  id: string;
  title: string;
  status: string;
  error: string | null;
  content: string | null;
  chunks_count: number;
}

export interface RunningFunction extends DenoFunction {
  tick(): Promise<Response>;
}

export interface IndexingStand {
  /** As the owner of the database. */
  sql: Sql;
  openai: OpenAiFake;
  team: string;
  storage: {
    objects: Map<string, Uint8Array>;
    isDown: boolean;
    /** Stores nothing, as on a full disk. */
    isFull: boolean;
    /** Accepts removals and never answers them. */
    isSilent: boolean;
    reads: number;
    /** Runs before a read is answered. */
    whileReading?: () => Promise<void>;
  };
  addTeam(): Promise<string>;
  addFile(name: string, bytes: Uint8Array | string, team?: string): Promise<string>;
  addSource(fileIds: string[], team?: string): Promise<string>;
  addKnowledge(sourceIds: string[], team?: string): Promise<string>;
  /** Creates a knowledge base with one source of these files, name to content. */
  knowledgeOf(
    files: Record<string, Uint8Array | string>,
    team?: string,
  ): Promise<{ knowledge: string; source: string }>;
  enqueue(
    type: "index" | "loadDocuments",
    about: { knowledge?: string; source?: string; document?: string },
  ): Promise<string>;
  task(id: string): Promise<Task>;
  documents(source: string): Promise<DocumentRow[]>;
  /** @param embed replaces the model's, for a test that delays the answer */
  ticker(limits?: Partial<BudgetLimits>, most?: number, embed?: Embedder["embed"]): Ticker;
  /** Ticks until no work is due. */
  settle(ticker?: Ticker): Promise<void>;
  /** Expires every lease and every wait. */
  passTime(): Promise<void>;
  /** Expires the workers' leases on documents, but not on their tasks. */
  loseDocuments(): Promise<void>;
  /**
   * Holds at every moment, whatever dies: whole generations, one vector per chunk, and exact offsets, which a changed text has again once
   * it is indexed.
   */
  expectWhole(texts?: "unchanged" | "changed"): Promise<void>;
  /** Starts the function as in production; resolves when it responds. `databasePort`: that of the database. */
  spawnFunction(host?: "local" | "hosted", databasePort?: number): Promise<RunningFunction>;
  stop(): Promise<void>;
}

/**
 * @param given a migrated database; a fresh one by default
 * @param dimensions of the model's vectors
 */
export async function startIndexingStand(
  given?: Pick<TestPostgres, "url" | "connect" | "stop">,
  dimensions = 8,
): Promise<IndexingStand> {
  const database = given ?? (await startTestPostgres());
  const sql = database.connect("postgres", { max: 4 });
  const openai = await startOpenAiFake();
  const upstream = await startUpstream();
  const storage: IndexingStand["storage"] = {
    objects: new Map(),
    isDown: false,
    isFull: false,
    isSilent: false,
    reads: 0,
  };
  upstream.handle(async (request, response) => {
    if (storage.isDown) return void response.writeHead(503).end("down");
    if (request.method === "DELETE") {
      if (storage.isSilent) return;
      const { prefixes } = (await json(request)) as { prefixes: string[] };
      for (const path of prefixes) storage.objects.delete(path);
      return void response.writeHead(200, { "content-type": "application/json" }).end("[]");
    }
    if (request.url === "/storage/v1/bucket/files") return void response.writeHead(200).end("{}");
    if (request.method === "POST") {
      const path = (request.url ?? "").replace("/storage/v1/object/files/", "");
      const bytes = await buffer(request);
      if (storage.isFull) return void response.writeHead(507).end('{"statusCode":"507"}');
      if (storage.objects.has(path)) return void response.writeHead(400).end('{"error":"Duplicate"}');
      storage.objects.set(path, new Uint8Array(bytes));
      return void response.writeHead(200, { "content-type": "application/json" }).end("{}");
    }
    storage.reads++;
    await storage.whileReading?.();
    const path = decodeURIComponent(request.url ?? "").replace("/storage/v1/object/files/", "");
    const bytes = storage.objects.get(path);
    if (!bytes) return void response.writeHead(400).end('{"statusCode":"404","error":"not_found"}');
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes);
  });
  const environment = {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: upstream.url,
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: serviceKey,
    WEB_URL: "http://127.0.0.1:3000",
    SECRETS_KEY: "x".repeat(32),
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: openai.baseUrl,
    OPENAI_EMBEDDING_DIMENSIONS: String(dimensions),
  };
  Object.assign(process.env, environment);
  const children = new Set<ChildProcess>();

  const stand: IndexingStand = {
    sql,
    openai,
    storage,
    team: "",
    addTeam: async () => {
      const [row] =
        await sql`insert into public.teams (name, codename) values ('Test', ${`t-${randomUUID()}`}) returning id`;
      return row?.id;
    },
    addFile: async (name, content, team = stand.team) => {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      const id = randomUUID();
      const path = `teams/${team}/${id}`;
      storage.objects.set(path, bytes);
      await sql`insert into public.files (id, team_id, name, type, content_type, size, path, sha256)
        values (${id}, ${team}, ${name}, 'document', 'application/octet-stream', ${bytes.length}, ${path},
                ${createHash("sha256").update(bytes).digest("hex")})`;
      return id;
    },
    addSource: async (fileIds, team = stand.team) => {
      const [row] = await sql`insert into public.sources (team_id, type, name, config)
        values (${team}, 'file', 'Files', ${sql.json({ fileIds })}) returning id`;
      return row?.id;
    },
    addKnowledge: async (sourceIds, team = stand.team) => {
      const [row] =
        await sql`insert into public.knowledges (team_id, name, chunk_max_tokens, chunk_overlap_tokens)
        values (${team}, 'Knowledge', 60, 10) returning id`;
      for (const id of sourceIds) {
        await sql`insert into public.knowledge_sources (team_id, knowledge_id, source_id) values (${team}, ${row?.id}, ${id})`;
      }
      return row?.id;
    },
    knowledgeOf: async (files, team = stand.team) => {
      const ids: string[] = [];
      for (const [name, content] of Object.entries(files)) ids.push(await stand.addFile(name, content, team));
      const source = await stand.addSource(ids, team);
      return { source, knowledge: await stand.addKnowledge([source], team) };
    },
    enqueue: async (type, { knowledge, source, document }) => {
      const about = knowledge
        ? `knowledge:${knowledge}`
        : document
          ? `document:${document}`
          : `source:${source}`;
      const [owner] = await sql`
        select team_id from public.knowledges where id = ${knowledge ?? null}
        union all select team_id from public.sources where id = ${source ?? null}
        union all select team_id from public.documents where id = ${document ?? null}`;
      const [row] = await sql`select private.enqueue_task(${owner?.team_id}, ${type}, ${`${type}:${about}`},
        ${source ?? null}, ${knowledge ?? null}, ${document ?? null}) as id`;
      return row?.id;
    },
    task: async (id) => {
      const [row] = await sql<Task[]>`select * from public.tasks where id = ${id}`;
      if (!row) throw new Error(`no task ${id}`);
      return row;
    },
    documents: (source) =>
      sql<DocumentRow[]>`select * from public.documents where source_id = ${source} order by title`,
    ticker: (limits = {}, most = 1, embed) =>
      new Ticker(
        async (teamId) => {
          const spender = { teamId, agentId: null, channel: "indexing" };
          return {
            ...embedderOf(await readTeamModels(spender, { retries: 0 })),
            ...(embed ? { embed } : {}),
          };
        },
        { wallMs: 60_000, cpuMs: Number.POSITIVE_INFINITY, turnMs: 30_000, ...limits },
        most,
      ),
    settle: async (ticker = stand.ticker()) => {
      for (let more = true; more; ) more = (await ticker.tick()).more;
    },
    passTime: async () => {
      await sql.begin(async (tx) => {
        // Otherwise the trigger would set the rows' dates to now.
        await tx`set local session_replication_role = replica`;
        await tx`update public.tasks set lease_until = case when lease_until is not null then now() - interval '1 s' end,
                        run_after = least(run_after, now()) where status in ('queued', 'waiting', 'running', 'stopping')`;
        await tx`update public.documents set updated_at = now() - interval '1 hour' where status = 'indexing'`;
      });
    },
    loseDocuments: async () => {
      await sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx`update public.documents set updated_at = now() - interval '1 hour' where status = 'indexing'`;
      });
    },
    expectWhole: (texts) => expectWhole(sql, texts),
    spawnFunction: async (host = "local", databasePort) => {
      const databaseUrl = new URL(environment.DATABASE_URL);
      if (databasePort) databaseUrl.port = String(databasePort);
      const { PARLEY_OUTBOUND_ALLOW = "", TEAM_STORAGE_MIB = "" } = process.env;
      const own = {
        ...environment,
        DATABASE_URL: databaseUrl.href,
        PARLEY_OUTBOUND_ALLOW,
        TEAM_STORAGE_MIB,
      };
      const hosted = [
        `--preload=${join(projectDir, "tests/support/files/hosted.deno.mjs")}`,
        // Hosted Supabase allows 256 MB, buffers included.
        "--v8-flags=--max-old-space-size=200,--expose-gc",
      ];
      const spawned = await spawnDenoFunction("indexing", own, host === "hosted" ? hosted : []);
      children.add(spawned.process);
      spawned.process.once("exit", () => children.delete(spawned.process));
      const headers = { authorization: `Bearer ${serviceKey}` };
      return { ...spawned, tick: () => fetch(spawned.url, { method: "POST", headers }) };
    },
    stop: async () => {
      for (const child of children) child.kill("SIGKILL");
      await endParsers();
      await closeDatabase();
      await openai.stop();
      await upstream.close();
      await database.stop();
    },
  };
  stand.team = await stand.addTeam();
  return stand;
}

async function expectWhole(sql: Sql, texts: "unchanged" | "changed" = "unchanged"): Promise<void> {
  const broken = await sql`
    with pairs as (
      select i.knowledge_id, i.document_id, i.chunks_count, count(c.id) as chunks,
             count(distinct c.position) as places, coalesce(max(c.position) + 1, 0) as reach,
             coalesce(sum((select count(*) from public.chunk_embeddings e where e.chunk_id = c.id and e.vector_id = k.vector_id)), 0) as vectors
        from public.document_indexes i join public.knowledges k on k.id = i.knowledge_id
        left join public.chunks c on c.knowledge_id = i.knowledge_id and c.document_id = i.document_id
       group by 1, 2, 3)
    select * from pairs where chunks <> chunks_count or places <> chunks or reach <> chunks or vectors <> chunks`;
  if (broken.length > 0) throw new Error(`not whole: ${JSON.stringify(broken[0])}`);
  if (texts === "changed") return;
  const chunks = await sql`
    select c.content, c.start_offset, c.end_offset, d.content as text
      from public.chunks c join public.documents d on d.id = c.document_id`;
  for (const { content, start_offset, end_offset, text } of chunks) {
    if (text.slice(start_offset, end_offset) !== content) throw new Error(`not in its place: ${content}`);
  }
}

/** As many distinct sentences as requested, on a topic. */
export const words = (n: number, topic = "leave") =>
  Array.from({ length: n }, (_, i) => `Sentence ${i} about ${topic} says what holds in case ${i}.`).join(" ");

/** Every text that the model has embedded so far. */
export const texts = ({ openai }: IndexingStand) =>
  openai.requests.flatMap(({ body }) => body.input as string[]);

/** Runs a script of the project with a function's permissions, and returns its output. */
export async function runDeno(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(denoPath(), [...denoArgs, join(projectDir, script)]);
  return stdout;
}
