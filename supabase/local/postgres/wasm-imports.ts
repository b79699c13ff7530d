// Owns what this server changes in PGlite's WASM module: a sync that reaches the disk, and interrupts. Emscripten's own
// objects stay unchanged.

import { fdatasyncSync } from "node:fs";
import type { Extension } from "@electric-sql/pglite";
import { Shared } from "./engine-messages.ts";

/** The parts of the Emscripten module that the changes use. */
interface Module {
  HEAPU8: Uint8Array;
  _InterruptPending: number;
  _QueryCancelPending: number;
  _MyLatch: number;
  FS: {
    filesystems: {
      /** `nfd` is Node's descriptor; a folder has none. */
      NODEFS: { stream_ops: { fsync?(stream: { nfd?: number }): number } };
    };
  };
}

/** Called often while Postgres sleeps, scans, sorts or builds an index. */
const interruptible = new Set<string | symbol>(["clock_time_get", "fd_pread", "fd_pwrite", "__syscall_poll"]);

/** A PGlite extension without SQL. */
export const wasmImports = (shared: Int32Array): Extension => ({
  name: "wasm imports",
  setup: async (pglite, emscripten) => {
    const check = () => {
      if (Atomics.load(shared, Shared.cancel) === 1) {
        Atomics.store(shared, Shared.cancel, 0);
        interrupt((pglite as typeof pglite & { Module: Module }).Module);
      }
    };
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ): unknown => emscripten.instantiateWasm(withCheck(imports, check), done);
    return {
      emscriptenOpts: { ...emscripten, instantiateWasm, preRun: [...emscripten.preRun, syncToDisk] },
    };
  },
});

/**
 * PGlite's file system in Node reports Postgres's fsync as done without syncing the disk. This syncs it, so a confirmed
 * commit survives a power failure as well as a crash.
 */
function syncToDisk({ FS }: Module): void {
  FS.filesystems.NODEFS.stream_ops.fsync = ({ nfd }) => {
    // A file's length and data, without its times.
    if (nfd !== undefined) fdatasyncSync(nfd);
    return 0;
  };
}

/**
 * Interrupts the running statement. WASM cannot receive a signal, but Postgres reads the clock and files through
 * JavaScript: there a cancel requested by the other thread sets the flags that Postgres's own signal handler would set.
 * This does not reach a statement that only computes; engine.ts then ends the thread.
 */
function interrupt({ HEAPU8, _QueryCancelPending, _InterruptPending, _MyLatch }: Module): void {
  // StatementCancelHandler of postgres.c: two C ints, little-endian, and is_set, the first field of the latch.
  HEAPU8[_QueryCancelPending] = 1;
  HEAPU8[_InterruptPending] = 1;
  HEAPU8[new DataView(HEAPU8.buffer).getUint32(_MyLatch, true)] = 1;
}

function withCheck(imports: WebAssembly.Imports, check: () => void): WebAssembly.Imports {
  const checking = (functions: WebAssembly.ModuleImports): WebAssembly.ModuleImports =>
    // A proxy, because Emscripten resolves some names only on access.
    new Proxy(functions, {
      get: (target, name) => {
        const original = Reflect.get(target, name);
        if (typeof original !== "function" || !interruptible.has(name)) return original;
        return (...values: unknown[]) => {
          check();
          return original(...values);
        };
      },
    });
  return Object.fromEntries(Object.entries(imports).map(([name, functions]) => [name, checking(functions)]));
}
