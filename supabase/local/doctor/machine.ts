// Owns the doctor's checks of the machine: Node's version, the data folder, its disk, and the ports.
import { accessSync, constants, existsSync, readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { findUnfinished } from "../backup/unfinished.ts";
import { isFree } from "../free-port.mjs";
import { backupOf } from "../lock.ts";
import { isListening } from "../machine.ts";
import { projectDir, type Settings } from "../settings.ts";
import { error, type Finding, notice, ok } from "./finding.ts";

const MB = 1024 * 1024;
const LEAST_FREE_MB = 200;
const LITTLE_FREE_MB = 1024;

/** @param version such as "20.19.0" */
export function checkNode(version = process.versions.node): Finding {
  const { engines }: { engines: { node: string } } = JSON.parse(
    readFileSync(join(projectDir, "package.json"), "utf8"),
  );
  const least = engines.node.replace(/^>=/, "");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return ok(`Node is ${version}.`);
  return error(`Node is ${version}, and Parley needs ${least} or later: install a newer Node.`);
}

/**
 * Checks the data folder, and its folders of files, which another user may have created.
 * @param freeMb free space on the folder's disk; for tests
 */
export function checkFolder(dir: string, freeMb?: number, isUsable = canUse): Finding[] {
  const existing = nearestThatExists(dir);
  if (!statSync(existing).isDirectory()) {
    return [
      error(`${existing} is not a folder: move that file away, or set PARLEY_DATA_DIR to another folder.`),
    ];
  }
  const blocked = [existing, ...storageFolders(dir)].find((folder) => !isUsable(folder));
  if (blocked !== undefined) {
    return [
      error(
        `The folder ${blocked} cannot be written: give this user the right to write it, or set PARLEY_DATA_DIR to another folder.`,
      ),
    ];
  }
  const { bavail, bsize } = statfsSync(existing);
  const free = Math.floor(freeMb ?? (bavail * bsize) / MB);
  const room = `${free} MB are free on the disk that holds ${dir}`;
  if (free < LEAST_FREE_MB) return [error(`${room}: free at least ${LEAST_FREE_MB} MB, or nothing starts.`)];
  if (free < LITTLE_FREE_MB) {
    return [
      notice(`${room}: that is little, and an upgrade or a backup needs room for a copy of the database.`),
    ];
  }
  return [ok(`${room}, and the folder can be written.`)];
}

/** A backup that was killed leaves a file with secrets where its person named it. */
export function checkBackups(dataDir: string): Finding[] {
  const left = findUnfinished(dataDir);
  if (!left || backupOf(dataDir)) return [];
  return [
    notice(
      `A backup was killed and left ${left}, which holds the installation's secrets: the next backup deletes it, or delete it now.`,
    ),
  ];
}

function canUse(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function storageFolders(dir: string): string[] {
  const storage = join(dir, "storage");
  if (!existsSync(storage)) return [];
  const names = canUse(storage) ? readdirSync(storage) : [];
  return [storage, ...names.map((name) => join(storage, name))];
}

/** The folder, or its nearest existing ancestor. */
function nearestThatExists(dir: string): string {
  return existsSync(dir) || dirname(dir) === dir ? dir : nearestThatExists(dirname(dir));
}

/** Checks the ports of a stopped installation: whatever listens on them is another program. */
export async function checkPorts({ ports, externalDatabaseUrl }: Settings): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, port] of Object.entries(ports)) {
    if (name === "postgres" && externalDatabaseUrl) continue;
    // A start waits until a connection that occupies the port has ended.
    if ((await isFree(port)) || !(await isListening(port))) continue;
    findings.push(
      error(
        `Port ${port}, which is for ${name}, is taken by another program: stop that program, or set PARLEY_PORT_OFFSET to a number that moves every port.`,
      ),
    );
  }
  return findings.length > 0 ? findings : [ok("Every port is free.")];
}
