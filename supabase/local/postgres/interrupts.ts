// Owns interrupts of a running statement. WASM cannot receive a signal, but Postgres reads the clock and files through
// JavaScript: there a cancel requested by the other thread sets the flags that Postgres's own signal handler would set.
// This does not reach a statement that only computes; engine.ts then ends the thread.

import type { Extension } from "@electric-sql/pglite";
import { Shared } from "./engine-messages.ts";
import { type Instantiate, withImports } from "./wasm-imports.ts";

/** Imports that Postgres calls often while it sleeps, scans, sorts or builds an index. */
const watched = new Set(["clock_time_get", "fd_pread", "fd_pwrite", "__syscall_poll"]);

interface Module {
  HEAPU8: Uint8Array;
  _InterruptPending: number;
  _QueryCancelPending: number;
  _MyLatch: number;
}

/** A PGlite extension without SQL: it only wraps the WASM's imports. */
export function interrupts(shared: Int32Array): Extension {
  return {
    name: "interrupts",
    setup: async (pglite, emscripten) => {
      const check = () => {
        if (Atomics.load(shared, Shared.cancel) === 0) return;
        Atomics.store(shared, Shared.cancel, 0);
        const module = (pglite as typeof pglite & { Module: Module }).Module;
        const set = (address: number) => module.HEAPU8.set([1], address);
        // StatementCancelHandler of postgres.c: two C ints, little-endian, and is_set, the first field of the latch.
        set(module._QueryCancelPending);
        set(module._InterruptPending);
        set(new DataView(module.HEAPU8.buffer).getUint32(module._MyLatch, true));
      };
      const instantiate: Instantiate = emscripten.instantiateWasm;
      const instantiateWasm: Instantiate = (imports, done) =>
        instantiate(
          withImports(imports, (name, original) =>
            watched.has(name)
              ? (...values: unknown[]) => {
                  check();
                  return original(...values);
                }
              : undefined,
          ),
          done,
        );
      return { emscriptenOpts: { ...emscripten, instantiateWasm } };
    },
  };
}
