// Owns a process's sign of life for processes that cannot see it by its pid: those in another container with the same data folder. A
// socket's file in that folder refuses connections from the moment its process is gone, and accepts them while that process is busy or paused.
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readlinkSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { basename, dirname } from "node:path";

export interface Sign {
  /** Of its file. */
  name: string;
  end(): void;
}

/** Identifies the set of pids that this process sees. "" where every process sees the same ones. */
export function pidSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Shows a sign until the process ends. Undefined where none is needed, and where the file system has no sockets. */
export function showSign(path: string): Sign | undefined {
  if (pidSpace() === "") return undefined;
  const name = basename(path);
  const server = createServer((visitor) => visitor.destroy()).on("error", () => {});
  // Through the open folder, since the path of a socket has at most 107 bytes.
  const folder = openSync(dirname(path), "r");
  server.listen(`/proc/self/fd/${folder}/${name}`);
  closeSync(folder);
  if (!server.listening) return undefined;
  server.unref();
  return {
    name,
    end: () => {
      server.close();
      rmSync(path, { force: true });
    },
  };
}

const visit = `
const [folder, name] = process.argv.slice(1);
const place = "/proc/self/fd/" + require("node:fs").openSync(folder, "r") + "/" + name;
require("node:net").connect(place)
  .on("connect", () => process.exit(0))
  .on("error", ({ code }) => process.exit(code === "ECONNREFUSED" || code === "ENOENT" ? 3 : 0));
`;

/** True unless the process that showed a sign is gone. */
export function answersSign(folder: string, name: string): boolean {
  return spawnSync(process.execPath, ["-e", visit, folder, basename(name)]).status !== 3;
}
