// Owns a stand-in for Supabase's Management API: what the CLI's commands of docs/deploy.md read and change. It stores what it is sent, and
// rejects unknown calls and settings.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { accessToken, poolerName } from "./cli.ts";

type Json = Record<string, unknown>;

export interface UploadedFunction {
  /** entrypoint_path, import_map_path, verify_jwt and so on, as sent. */
  metadata: Json;
  files: { path: string; bytes: Uint8Array }[];
}

/** A project's stored settings. */
export class ProjectSettings {
  readonly secrets = new Map<string, string>();
  readonly functions = new Map<string, UploadedFunction>();
  readonly configs: Record<string, Json> = structuredClone({
    "config/auth": recorded.auth,
    postgrest: recorded.postgrest,
    "config/storage": recorded.storage,
    "config/database/postgres": {},
    "config/realtime": realtime,
    "network-restrictions": recorded["network-restrictions"],
    "ssl-enforcement": recorded["ssl-enforcement"],
  });

  constructor(
    readonly ref: string,
    readonly keys: Json[],
  ) {}
}

const recorded = JSON.parse(readFileSync(new URL("platform/management.json", import.meta.url), "utf8"));
const realtime = {
  ...{ private_only: false, connection_pool: 2, max_concurrent_users: 200, max_events_per_second: 100 },
  ...{ max_bytes_per_second: 100_000, max_channels_per_client: 100, max_joins_per_second: 100 },
  ...{
    max_presence_events_per_second: 100,
    max_payload_size_in_kb: 100,
    suspend: false,
    presence_enabled: true,
  },
};
const made = 1_780_000_000_000;

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export class ManagementApi {
  /** Each call as "METHOD path", without the project's ref. */
  readonly calls: string[] = [];
  /** Unknown calls and settings. */
  readonly refused: string[] = [];
  readonly #projects = new Map<string, ProjectSettings>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  get url(): string {
    // A server that listens on TCP has such an address.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** @param keys as GET …/api-keys lists them */
  addProject(ref: string, keys: Json[]): ProjectSettings {
    const project = new ProjectSettings(ref, keys);
    this.#projects.set(ref, project);
    return project;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const [, ref = "", path = ""] = /^\/v[12]\/projects\/([a-z]{20})(?:\/(.*))?$/.exec(url.pathname) ?? [];
    const call = `${request.method} ${path || url.pathname.replace(ref, "REF")}`;
    this.calls.push(call);
    let status = request.method === "POST" ? 201 : 200;
    let answer: unknown;
    try {
      const body = await buffer(request);
      if (request.headers.authorization !== `Bearer ${accessToken}`) throw new Refusal(401, "Unauthorized");
      const project = this.#projects.get(ref);
      if (!project) throw new Refusal(404, `No such project: ${ref}`);
      answer = await this.#perform(project, request.method ?? "", path, {
        query: url.searchParams,
        type: request.headers["content-type"] ?? "",
        body,
      });
    } catch (error) {
      status = error instanceof Refusal ? error.status : 500;
      answer = { message: error instanceof Error ? error.message : String(error) };
      this.refused.push(`${call}: ${status} ${JSON.stringify(answer)}`);
    }
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(answer ?? null));
  }

  async #perform(
    project: ProjectSettings,
    method: string,
    path: string,
    sent: { query: URLSearchParams; type: string; body: Buffer },
  ): Promise<unknown> {
    const json = () => JSON.parse(sent.body.toString("utf8"));
    const config = project.configs[path];
    if (config && method === "GET") return config;
    if (config && (method === "PATCH" || method === "PUT")) return change(config, path, json());
    switch (`${method} ${path}`) {
      case "GET ":
        return describe(project.ref);
      case "GET api-keys":
        return project.keys;
      case "GET config/database/pooler":
        return [pooler(project.ref)];
      case "GET config":
        return effectiveConfig(project);
      case "GET billing/addons":
        return { selected_addons: [], available_addons: [] };
      case "GET secrets":
        return [...project.secrets].map(([name, value]) => ({ name, value: sha256(value) }));
      case "POST secrets":
        for (const { name, value } of json()) keepSecret(project, name, value);
        return null;
      case "GET functions":
        return [...project.functions].map(([slug, one]) => functionAnswer(slug, one));
      case "POST functions/deploy":
        return await deploy(project, sent.query.get("slug") ?? "", sent.type, sent.body);
      case "PUT functions":
        return { functions: json() };
      default:
        throw new Refusal(404, `Not known: ${method} ${path}`);
    }
  }
}

/** All settings at once, in /v2's shape. */
function effectiveConfig({ ref, configs }: ProjectSettings): Json {
  const { db_schema, db_extra_search_path, max_rows, db_pool } = configs.postgrest ?? {};
  const attributes = {
    auth: configs["config/auth"],
    api: { db_schema, db_extra_search_path, max_rows, db_pool },
    storage: { file_size_limit: configs["config/storage"]?.fileSizeLimit },
    realtime: configs["config/realtime"],
  };
  return { data: { type: "project_config", id: ref, attributes } };
}

function change(config: Json, path: string, changes: Json): Json {
  const known: string[] = path === "config/auth" ? recorded.authFields : Object.keys(config);
  const unknown = Object.keys(changes).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Refusal(400, `Not settings of ${path}: ${unknown.join(", ")}`);
  return Object.assign(config, changes);
}

function keepSecret(project: ProjectSettings, name: string, value: string): void {
  if (name.startsWith("SUPABASE_"))
    throw new Refusal(400, `${name}: names with SUPABASE_ are the platform's`);
  project.secrets.set(name, value);
}

async function deploy(project: ProjectSettings, slug: string, type: string, body: Buffer): Promise<unknown> {
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const files = form.getAll("file").filter((one) => one instanceof File);
  const uploaded: UploadedFunction = {
    metadata: JSON.parse(String(form.get("metadata"))),
    files: await Promise.all(
      files.map(async (file) => ({ path: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
    ),
  };
  project.functions.set(slug, uploaded);
  return functionAnswer(slug, uploaded);
}

function functionAnswer(slug: string, { metadata, files }: UploadedFunction): Json {
  return {
    ...{ id: sha256(slug).slice(0, 32), slug, name: slug, status: "ACTIVE", version: 1 },
    ...{ created_at: made, updated_at: made, verify_jwt: metadata.verify_jwt, import_map: true },
    ...{ entrypoint_path: metadata.entrypoint_path, import_map_path: metadata.import_map_path },
    ezbr_sha256: sha256(files.map(({ path, bytes }) => `${path}\0${bytes}`).join("\0")),
  };
}

function describe(ref: string): Json {
  return {
    ...{
      id: ref,
      ref,
      organization_id: "acme",
      organization_slug: "acme",
      name: "Parley",
      region: "eu-central-1",
    },
    ...{ status: "ACTIVE_HEALTHY", created_at: new Date(made).toISOString() },
    database: {
      ...{ host: `db.${ref}.projects.parley.test`, version: "17.6.1.111" },
      ...{ postgres_engine: "17", release_channel: "ga" },
    },
  };
}

function pooler(ref: string): Json {
  const address = `postgresql://postgres.${ref}:[YOUR-PASSWORD]@${poolerName}:6543/postgres`;
  return {
    ...{
      identifier: ref,
      database_type: "PRIMARY",
      db_user: `postgres.${ref}`,
      db_host: poolerName,
      db_port: 6543,
    },
    ...{
      db_name: "postgres",
      connection_string: address,
      connectionString: address,
      pool_mode: "transaction",
    },
    ...{ default_pool_size: null, max_client_conn: null, is_using_scram_auth: true },
  };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
