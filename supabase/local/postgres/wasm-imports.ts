// Owns the functions of PGlite's WASM that this server replaces: fsync that reaches the disk, and interrupts.
// Emscripten's own objects stay unchanged.

import { fdatasyncSync, fsyncSync } from "node:fs";
import type { Extension } from "@electric-sql/pglite";
import { Shared } from "./engine-messages.ts";

/** An open file of Emscripten. `nfd` is Node's descriptor, for a file of Node's file system. */
interface Stream {
  nfd?: number;
}

/** The parts of the Emscripten module that the replacements use. */
interface Module {
  HEAPU8: Uint8Array;
  _InterruptPending: number;
  _QueryCancelPending: number;
  _MyLatch: number;
  FS: {
    streams: (Stream | undefined)[];
    filesystems: { NODEFS: { stream_ops: { fsync?(stream: Stream): number } } };
  };
}

// biome-ignore lint/complexity/noBannedTypes: the WASM's imports have every signature there is.
type Import = Function;
/** Receives a function's name and the original; undefined keeps it. */
type Replace = (name: string, original: Import) => Import | undefined;

/**
 * Interrupts of a running statement. WASM cannot receive a signal, but Postgres reads the clock and files through
 * JavaScript: there a cancel requested by the other thread sets the flags that Postgres's own signal handler would set.
 * This does not reach a statement that only computes; engine.ts then ends the thread.
 */
export const interrupts = (shared: Int32Array): Extension =>
  replacing("interrupts", (module) => {
    const check = () => {
      if (Atomics.load(shared, Shared.cancel) === 0) return;
      Atomics.store(shared, Shared.cancel, 0);
      const { HEAPU8, _QueryCancelPending, _InterruptPending, _MyLatch } = module();
      // StatementCancelHandler of postgres.c: two C ints, little-endian, and is_set, the first field of the latch.
      HEAPU8[_QueryCancelPending] = 1;
      HEAPU8[_InterruptPending] = 1;
      HEAPU8[new DataView(HEAPU8.buffer).getUint32(_MyLatch, true)] = 1;
    };
    /** Called often while Postgres sleeps, scans, sorts or builds an index. */
    const watched = new Set(["clock_time_get", "fd_pread", "fd_pwrite", "__syscall_poll"]);
    return (name, original) =>
      watched.has(name)
        ? (...values: unknown[]) => {
            check();
            return original(...values);
          }
        : undefined;
  });

/**
 * PGlite's file system in Node reports Postgres's fsync as done without syncing the disk. This syncs it, so a confirmed
 * commit survives a power failure as well as a crash.
 */
export const durable = (): Extension =>
  replacing(
    "durable",
    (module) => (name) =>
      name === "__syscall_fdatasync"
        ? (descriptor: number) => {
            const file = module().FS.streams[descriptor]?.nfd;
            if (file !== undefined) fdatasyncSync(file);
            return 0;
          }
        : undefined,
    ({ FS }) => {
      FS.filesystems.NODEFS.stream_ops.fsync = ({ nfd }) => {
        if (nfd !== undefined) fsyncSync(nfd);
        return 0;
      };
    },
  );

/** A PGlite extension without SQL: it only wraps the WASM's imports. */
function replacing(
  name: string,
  replaceIn: (module: () => Module) => Replace,
  preRun: (module: Module) => void = () => {},
): Extension {
  return {
    name,
    setup: async (pglite, emscripten) => {
      const replace = replaceIn(() => (pglite as typeof pglite & { Module: Module }).Module);
      const instantiateWasm = (
        imports: WebAssembly.Imports,
        done: (instance: WebAssembly.Instance) => void,
      ): unknown => emscripten.instantiateWasm(withImports(imports, replace), done);
      return {
        emscriptenOpts: { ...emscripten, instantiateWasm, preRun: [...emscripten.preRun, preRun] },
      };
    },
  };
}

function withImports(imports: WebAssembly.Imports, replace: Replace): WebAssembly.Imports {
  const replaceIn = (functions: WebAssembly.ModuleImports): WebAssembly.ModuleImports =>
    // A proxy, because Emscripten resolves some names only on access.
    new Proxy(functions, {
      get: (target, name) => {
        const original: unknown = Reflect.get(target, name);
        if (typeof original !== "function" || typeof name !== "string") return original;
        return replace(name, original) ?? original;
      },
    });
  return Object.fromEntries(Object.entries(imports).map(([name, functions]) => [name, replaceIn(functions)]));
}
