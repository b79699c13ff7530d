// Owns the native Postgres for tests that the embedded engine cannot run, because it executes one statement at a time. Finds or starts a
// server with pgvector. The databases of single test files belong to tests/support/own-postgres.ts.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, delimiter, join } from "node:path";
import { reservePort } from "./port-offset.mjs";
import { run } from "./process.mjs";
import { roomyRoot, roots } from "./scratch.mjs";

const OLDEST_MAJOR = 15;
const PREFIX = "parley-native-";
const MISSING =
  "No native Postgres was found: install Postgres 15 or later with pgvector (Debian: postgresql and postgresql-NN-pgvector, " +
  "Homebrew: postgresql and pgvector), or set TEST_DATABASE_URL to a superuser's address on a server for tests alone.";

/**
 * No data has to survive the server. Autovacuum changes plans between statements, as it does in production. Each second it took a
 * twentieth of a core: it starts a process for each database.
 */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum_naptime: "5s",
};

/**
 * The server in TEST_DATABASE_URL, else an installed Postgres started in a temporary folder, else one that the script TEST_POSTGRES_SCRIPT
 * starts.
 * @param {{ ofItsOwn?: boolean }} options `ofItsOwn`: not shared, so its roles may be changed
 * @returns {Promise<{ url: string, stop: () => void } | { missing: string }>} a superuser's address; `missing` says what to install.
 * @throws when a server fails to start; the message ends with its log.
 */
export async function startNativePostgres(timeoutMs, { ofItsOwn = false } = {}) {
  const given = process.env.TEST_DATABASE_URL;
  if (given && !ofItsOwn) return { url: given, stop: () => {} };
  removeLeftovers();
  const bin = findInstalled();
  if (bin) return startInstalled(bin);
  const script = process.env.TEST_POSTGRES_SCRIPT;
  return script ? startByScript(script, timeoutMs) : { missing: MISSING };
}

/**
 * Creates an empty database on a server.
 * @returns {Promise<{ url: string, drop: () => Promise<void> }>}
 */
export async function createDatabase(server) {
  const { default: postgres } = await import("postgres");
  const name = `parley_test_${randomBytes(8).toString("hex")}`;
  const execute = async (statement) => {
    const sql = postgres(server, { max: 1, onnotice: () => {} });
    await sql.unsafe(statement);
    await sql.end();
  };
  await execute(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(`drop database if exists ${name} with (force)`) };
}

/** The programs of the newest installed Postgres with pgvector. */
function findInstalled() {
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    ...versionsIn("/usr/lib/postgresql", "bin"),
    ...versionsIn("/opt/homebrew/opt", "bin", "postgresql"),
    ...versionsIn("/usr/local/opt", "bin", "postgresql"),
    ...versionsIn("/Applications/Postgres.app/Contents/Versions", "bin"),
  ];
  return folders
    .filter((folder) =>
      ["postgres", "initdb", "pg_ctl"].every((program) => existsSync(join(folder, program))),
    )
    .map((folder) => ({ folder, major: majorOf(folder) }))
    .filter(({ folder, major }) => major >= OLDEST_MAJOR && hasVector(folder))
    .sort((one, other) => other.major - one.major)[0]?.folder;
}

function versionsIn(folder, programs, prefix = "") {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(folder, name, programs));
}

function majorOf(folder) {
  const { stdout } = spawnSync(join(folder, "postgres"), ["--version"], { encoding: "utf8" });
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? "")?.[1] ?? 0);
}

function hasVector(folder) {
  const told = spawnSync(join(folder, "pg_config"), ["--sharedir"], { encoding: "utf8" }).stdout?.trim();
  // Debian's pg_config is in the headers' package; its share folder has a known path.
  const shares = [told, join(folder, "../share/postgresql"), join(folder, "../share")];
  if (folder.startsWith("/usr/lib/"))
    shares.push(folder.replace("/usr/lib/", "/usr/share/").replace(/\/bin$/, ""));
  return shares.some((share) => share && existsSync(join(share, "extension/vector.control")));
}

async function startInstalled(bin) {
  const folder = mkdtempSync(join(roomyRoot(), `${PREFIX}${process.pid}-`));
  const user = unprivilegedUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const log = join(folder, "log");
  const password = randomBytes(16).toString("hex");
  const execute = (program, args) =>
    spawnSync(join(bin, program), args, {
      encoding: "utf8",
      // A server must not inherit our pipes: they would stay open as long as it runs.
      stdio: ["ignore", "ignore", "pipe"],
      cwd: folder,
      env: { ...process.env, LC_ALL: "C" },
      ...user,
    });
  const stop = () => {
    if (!existsSync(folder)) return;
    execute("pg_ctl", ["-D", data, "-m", "immediate", "-w", "stop"]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.on("exit", stop);
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const init = (locale) =>
    execute("initdb", [
      ...["-D", data, "-U", "postgres", "-E", "UTF8", `--locale=${locale}`],
      ...["-A", "scram-sha-256", `--pwfile=${passwordFile}`, "--no-sync"],
    ]);
  // Under plain C, text search splits words at accents; not every machine has C.UTF-8.
  let made = init("C.UTF-8");
  if (made.status !== 0) made = init("C");
  rmSync(join(folder, "password"));
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error}`);
  const port = await reservePort();
  const lines = Object.entries({ ...SETTINGS, port: String(port) }).map(
    ([name, value]) => `${name} = '${value}'`,
  );
  writeFileSync(join(data, "postgresql.auto.conf"), `${lines.join("\n")}\n`);
  const started = execute("pg_ctl", ["-D", data, "-l", log, "-w", "-t", "60", "start"]);
  if (started.status !== 0) {
    const said = existsSync(log) ? readFileSync(log, "utf8").slice(-2000) : "";
    throw new Error(`Postgres did not start: ${started.stderr || started.error}\n${said}`);
  }
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop };
}

/** The user for Postgres, which refuses to run as root. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }));
    if (uid.status === 0 && gid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(
    "Postgres does not run as root, and there is no user named postgres or nobody to run it as.",
  );
}

/** Called with DIR and PORT, the script prints an address on its last line; called with `stop`, it ends that server. */
async function startByScript(script, timeoutMs) {
  const folder = mkdtempSync(join(roomyRoot(), PREFIX));
  const env = { DIR: folder, PORT: String(await reservePort()) };
  const stop = () => {
    if (!existsSync(folder)) return;
    spawnSync(script, ["stop"], { env: { ...process.env, ...env }, stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.on("exit", stop);
  // Output goes to a file, not a pipe: the server that it starts may keep the descriptor open.
  const output = join(folder, "address");
  const result = await run("/bin/sh", ["-c", '"$0" >"$1" </dev/null', script, output], { timeoutMs, env });
  const url = existsSync(output) ? readFileSync(output, "utf8").trim().split("\n").at(-1) : "";
  if (!result.ok || !url?.startsWith("postgres"))
    throw new Error(`TEST_POSTGRES_SCRIPT (${script}) printed no address: ${result.tail}`);
  return { url, stop };
}

const serverFolders = (root) =>
  existsSync(root)
    ? readdirSync(root)
        .filter((name) => name.startsWith(PREFIX))
        .map((name) => join(root, name))
    : [];

/** Ends the servers of killed test runs. */
function removeLeftovers() {
  if (!existsSync("/proc/self")) return;
  for (const folder of roots.flatMap(serverFolders)) {
    const name = basename(folder);
    const pid = name.startsWith(PREFIX) && /^(\d+)-/.exec(name.slice(PREFIX.length))?.[1];
    if (!pid || existsSync(`/proc/${pid}`)) continue;
    try {
      const server = Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
      const command = readFileSync(`/proc/${server}/cmdline`, "utf8");
      if (command.includes(folder)) process.kill(server, "SIGQUIT");
    } catch {
      // Its server has ended already.
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
