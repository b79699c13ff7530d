// Owns the stand-in projects' pooler: pgbouncer with the platform pooler's conventions. A login is written USER.REF, the port selects how
// connections are shared (5432 by session, 6543 by transaction), and each project's database is called postgres.
import { spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reservePort } from "../support/runner/port-offset.mjs";
import { machine } from "./cli.ts";
import { databasePassword } from "./databases.ts";
import { untilListens } from "./ports.ts";

const modes = { 5432: "session", 6543: "transaction" } as const;

export interface Pooler {
  stop(): Promise<void>;
}

/** @param host an address of this machine with both ports free */
export async function startPooler(server: string, refs: string[], host: string): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), "parley-pooler-"));
  const user = process.getuid?.() === 0 ? findPostgresUser() : undefined;
  const port = await reservePort();
  writeFileSync(join(folder, "pgbouncer.ini"), settings(server, refs, port, folder));
  writeFileSync(join(folder, "users.txt"), `"supabase_admin" "${databasePassword}"\n`);
  if (user)
    for (const name of ["", "pgbouncer.ini", "users.txt"]) chownSync(join(folder, name), user.uid, user.gid);
  const child = spawn(machine("HOSTED_PGBOUNCER"), ["-q", join(folder, "pgbouncer.ini")], {
    ...{ stdio: ["ignore", "ignore", "inherit"], cwd: folder, ...user },
  });
  await untilListens(port, child);
  const servers = await Promise.all(
    Object.entries(modes).map(([from, mode]) => listenOn(host, Number(from), port, mode)),
  );
  return {
    stop: async () => {
      for (const one of servers) one.close();
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGQUIT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Session state never survives a transaction: an occasional production failure happens every time here. */
function settings(server: string, refs: string[], port: number, folder: string): string {
  const { hostname, port: serverPort } = new URL(server);
  const databases = refs.flatMap((ref) =>
    Object.values(modes).map(
      (mode) => `${ref}_${mode} = host=${hostname} port=${serverPort} dbname=${ref} pool_mode=${mode}`,
    ),
  );
  return `[databases]
${databases.join("\n")}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, "users.txt")}
auth_user = supabase_admin
auth_query = select usename, passwd from pg_catalog.pg_shadow where usename = $1
ignore_startup_parameters = extra_float_digits, options, search_path, statement_timeout, lock_timeout
default_pool_size = 15
server_reset_query = discard all
server_reset_query_always = 1
log_connections = 0
log_disconnections = 0
`;
}

function findPostgresUser(): { uid: number; gid: number } {
  const ids = ["-u", "-g"].map((flag) => spawnSync("id", [flag, "postgres"], { encoding: "utf8" }));
  const [uid, gid] = ids.map(({ status, stdout }) => (status === 0 ? Number(stdout) : 65534));
  return { uid: uid ?? 65534, gid: gid ?? 65534 };
}

async function listenOn(host: string, from: number, port: number, mode: string): Promise<Server> {
  const server = createServer((client) => introduce(client, port, mode));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(from, host, resolve);
  });
  return server.unref();
}

const cancelRequest = 80_877_102;
const encryptionRequests = [80_877_103, 80_877_104];

/** Reads a client's startup (PostgreSQL's protocol, "Message Formats") and forwards it as pgbouncer expects. */
function introduce(client: Socket, port: number, mode: string): void {
  let kept = Buffer.alloc(0);
  const take = (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]);
    if (kept.length < 8 || kept.length < kept.readUInt32BE(0)) return;
    const code = kept.readUInt32BE(4);
    if (encryptionRequests.includes(code)) {
      kept = kept.subarray(8);
      client.write("N");
      return;
    }
    client.off("data", take);
    const upstream = connect(port, "127.0.0.1");
    upstream.write(code === cancelRequest ? kept : translate(kept, mode));
    client.pipe(upstream).pipe(client);
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
  };
  client.on("data", take);
  client.on("error", () => client.destroy());
}

function translate(startup: Buffer, mode: string): Buffer {
  const words = startup.subarray(8, startup.readUInt32BE(0)).toString("utf8").split("\0");
  const given = new Map<string, string>();
  for (let at = 0; words[at]; at += 2) given.set(words[at] ?? "", words[at + 1] ?? "");
  const [, user = "", ref = ""] = /^(.*)\.([a-z]{20})$/.exec(given.get("user") ?? "") ?? [];
  given.set("user", user);
  given.set("database", given.get("database") === "postgres" ? `${ref}_${mode}` : "");
  const body = Buffer.from(`${[...given].flat().join("\0")}\0\0`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  startup.copy(head, 4, 4, 8);
  return Buffer.concat([head, body]);
}
