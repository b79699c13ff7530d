// A child process of the supervisor: its restarts, its end, and its log.
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Child, type ChildSpec, Stopped } from "../../supabase/local/child.ts";
import type { Fatal } from "../../supabase/local/fatal.ts";
import { LogFile } from "../../supabase/local/log-file.ts";
import { isListening, requireFreePorts } from "../../supabase/local/machine.ts";
import { nodeArgs } from "../../supabase/local/services.ts";
import { eventually } from "../support/eventually.ts";

let dir: string;
let children: Child[];
let fatal: Fatal[];
let occupied: number[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parley-child-"));
  children = [];
  fatal = [];
  occupied = [];
});
afterEach(async () => {
  await Promise.all(children.map((child) => child.stop()));
  rmSync(dir, { recursive: true, force: true });
});

/** A process that runs a line of JavaScript; healthy once it has printed "up". */
function child(
  script: string,
  spec: Partial<ChildSpec> = {},
  liveness?: { everyMs: number; misses: number },
): Child {
  const one: Child = new Child(
    {
      name: "part",
      command: process.execPath,
      args: ["-e", script],
      env: {},
      healthy: async () => one.log.lastMessage() === "up",
      ...spec,
    },
    dir,
    { onFatal: (error) => fatal.push(error), onOccupied: (port) => occupied.push(port) },
    liveness,
  );
  children.push(one);
  return one;
}

const alive = (pid: number | undefined) => {
  try {
    process.kill(pid ?? 0, 0);
    return true;
  } catch {
    return false;
  }
};
const forever = "console.log('up'); setInterval(() => {}, 1000);";

describe("a child process", () => {
  it("restarts after it was killed", async () => {
    const one = child(forever);
    await one.start();
    const first = one.pid;
    process.kill(first ?? 0, "SIGKILL");
    await eventually(() => expect(one.pid).not.toBe(first));
    await eventually(() => expect(alive(one.pid)).toBe(true));
    expect(fatal).toEqual([]);
    const line = readFileSync(one.log.path, "utf8").split("\n")[1] ?? "";
    expect(JSON.parse(line)).toEqual({
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      level: "error",
      process: "supervisor",
      message: "part ended with SIGKILL",
    });
  });

  it("restarts when the connection that occupies its port has ended", async () => {
    const server = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
    await once(server, "listening");
    // The kernel picks its port, from the range in which ours are.
    const holder = connect((server.address() as AddressInfo).port, "127.0.0.1");
    await once(holder, "connect");
    const port = holder.localPort ?? 0;
    const reported: number[] = [];
    const free = requireFreePorts([port], 0, (taken) => reported.push(taken));
    const one = child(forever, { ports: [port] });
    await one.start();
    const first = one.pid;
    process.kill(first ?? 0, "SIGKILL");
    await eventually(() => expect(reported).toEqual([port]));
    // Without the wait it restarts after 100 ms.
    await sleep(400);
    expect(one.pid).toBe(first);
    expect(occupied).toEqual([port]);
    expect(one.log.lastMessage()).toBe(`part waits for the end of a connection that occupies port ${port}`);
    holder.resetAndDestroy();
    await free;
    await eventually(() => expect(one.pid).not.toBe(first));
    server.close();
  });

  it("does not take a probe that the kernel connects to itself for a program", async () => {
    const server = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
    await once(server, "listening");
    const holder = connect((server.address() as AddressInfo).port, "127.0.0.1");
    await once(holder, "connect");
    expect(await isListening((server.address() as AddressInfo).port)).toBe(true);
    const port = holder.localPort ?? 0;
    let hasMetItself = false;
    const watch = (message: unknown) => {
      const { socket } = message as { socket: Socket };
      socket.once("connect", () => {
        hasMetItself ||= socket.localPort === port && socket.remotePort === port;
      });
    };
    diagnostics.subscribe("net.client.socket", watch);
    // The kernel goes through its 28,000 ports in turn, with jumps, so that in so many probes each comes by.
    for (let probe = 0; probe < 50_000 && !hasMetItself; probe += 1) {
      if (await isListening(port)) throw new Error(`A program was found at probe ${probe}.`);
    }
    diagnostics.unsubscribe("net.client.socket", watch);
    holder.resetAndDestroy();
    server.close();
  });

  it("that answers nothing any more is restarted, and one that misses a check is not", async () => {
    const answers = [true, false, true, false, false];
    let answered = true;
    const live = async () => {
      answered = answers.shift() ?? answered;
      return answered;
    };
    const one = child(forever, { live }, { everyMs: 20, misses: 3 });
    await one.start();
    const first = one.pid;
    await eventually(() => expect(answers).toEqual([]));
    await eventually(() => expect(one.pid).not.toBe(first));
    const log = readFileSync(one.log.path, "utf8");
    expect(log).toMatch(/part does not answer and is restarted.*\n.*part ended with SIGKILL/);
    answered = true;
    await eventually(() => expect(one.serves).toBe(true));
    expect(fatal).toEqual([]);
  });

  it("that became healthy each time restarts however often it is killed", async () => {
    const one = child(forever);
    await one.start();
    for (let kill = 0; kill < 7; kill += 1) {
      const before = one.pid ?? 0;
      process.kill(before, "SIGKILL");
      await eventually(() => expect(one.pid).not.toBe(before));
      await eventually(() => expect(one.serves).toBe(true));
    }
    expect(fatal).toEqual([]);
  });

  it("that keeps exiting is given up, with its last output and the path of its log", async () => {
    const one = child("console.error(JSON.stringify({ message: 'no such setting' })); process.exit(1);");
    await expect(one.start()).rejects.toThrow(/^part keeps ending \(.*\); its log is .*part\.log\.$/);
    expect(fatal).toHaveLength(1);
    expect(readFileSync(one.log.path, "utf8").match(/no such setting/g)).toHaveLength(6);
  });

  it("whose exit code is permanent is not restarted", async () => {
    const one = child("console.error('The folder is damaged.'); process.exit(67);", { fatalFrom: 64 });
    await expect(one.start()).rejects.toThrow(/^The folder is damaged\.$/);
    expect(readFileSync(one.log.path, "utf8").trim()).toBe("The folder is damaged.");
  });

  it("that cannot be started says so", async () => {
    await expect(child("", { command: join(dir, "nothing") }).start()).rejects.toThrow(
      /could not be started/,
    );
  });

  it("that ignores SIGTERM is killed, and not restarted", async () => {
    const one = child(`process.on('SIGTERM', () => {}); ${forever}`);
    await one.start();
    const pid = one.pid;
    await one.stop();
    expect(alive(pid)).toBe(false);
    expect(one.pid).toBe(pid);
  });

  it("stops during its start", async () => {
    const one = child("setInterval(() => {}, 1000)");
    const started = one.start();
    const rejected = expect(started).rejects.toThrow(Stopped);
    await one.stop();
    await rejected;
    expect(fatal).toEqual([]);
  });

  it("ends with a killed parent", async () => {
    const script = `
      const { spawn } = require("node:child_process");
      const [file, ...args] = ${JSON.stringify([process.execPath, ...nodeArgs("unused").slice(0, 2)])};
      // It watches by the time its own line runs.
      const kid = spawn(file, [...args, "-e", "console.log('up'); setInterval(() => {}, 1000)"],
                        { stdio: ["pipe", "inherit", "ignore"], detached: true });
      console.log("kid " + kid.pid); setInterval(() => {}, 1000);`;
    const one = child(script);
    await one.start();
    const kid = Number(/kid (\d+)/.exec(readFileSync(one.log.path, "utf8"))?.[1]);
    expect(alive(kid)).toBe(true);
    process.kill(one.pid ?? 0, "SIGKILL");
    await eventually(() => expect(alive(kid)).toBe(false));
  });
});

describe("a log", () => {
  it("stays small, and returns the last output of JSON lines and of crashes alike", async () => {
    const log = new LogFile(join(dir, "part.log"));
    log.write('{"level":"info","message":"listening"}\n');
    expect(log.lastMessage()).toBe("listening");
    log.write("Error: gone\n\n");
    expect(log.lastMessage()).toBe("Error: gone");
    for (let megabyte = 0; megabyte < 12; megabyte += 1) log.write(`${"x".repeat(1024 * 1024)}\n`);
    await eventually(() => {
      const sizes = ["part.log", "part.log.1"].map((name) => readFileSync(join(dir, name)).length);
      for (const size of sizes) expect(size).toBeLessThan(7 * 1024 * 1024);
    });
  });
});
