// Owns what this server changes in PGlite's WASM module: interrupts, and the order of syncs (disk-order.ts). Emscripten's own objects stay
// unchanged.

import type { Extension } from "@electric-sql/pglite";
import type { DiskOrder, NodeFiles } from "./disk-order.ts";
import { Shared } from "./engine-messages.ts";

/** The parts of the Emscripten module that the changes use. */
interface Module {
  HEAPU8: Uint8Array;
  _InterruptPending: number;
  _QueryCancelPending: number;
  _MyLatch: number;
  FS: {
    filesystems: { NODEFS: NodeFiles };
  };
}

/** Called often while Postgres sleeps, scans, sorts or builds an index. */
const interruptible = new Set<string | symbol>(["clock_time_get", "fd_pread", "fd_pwrite", "__syscall_poll"]);

/** A PGlite extension without SQL. */
export const wasmImports = (shared: Int32Array, order: DiskOrder): Extension => ({
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
      emscriptenOpts: {
        ...emscripten,
        instantiateWasm,
        preRun: [...emscripten.preRun, ({ FS }: Module) => order.govern(FS.filesystems.NODEFS)],
      },
    };
  },
});

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
