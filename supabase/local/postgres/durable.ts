// Owns fsync. PGlite's file system in Node reports Postgres's fsync as done without syncing the disk. This syncs it, so
// a confirmed commit survives a power failure as well as a crash.

import { fdatasyncSync, fsyncSync } from "node:fs";
import type { Extension } from "@electric-sql/pglite";
import { type Instantiate, withImports } from "./wasm-imports.ts";

/** An open file of Emscripten. `nfd` is Node's descriptor, for a file of Node's file system. */
interface Stream {
  nfd?: number;
}

interface Module {
  FS: {
    streams: (Stream | undefined)[];
    filesystems: { NODEFS: { stream_ops: { fsync?(stream: Stream): number } } };
  };
}

/** A PGlite extension without SQL. */
export function durable(): Extension {
  return {
    name: "durable",
    setup: async (pglite, emscripten) => {
      const module = () => (pglite as typeof pglite & { Module: Module }).Module;
      const instantiate: Instantiate = emscripten.instantiateWasm;
      const instantiateWasm: Instantiate = (imports, done) =>
        instantiate(
          withImports(imports, (name) =>
            name === "__syscall_fdatasync"
              ? (descriptor: number) => {
                  const file = module().FS.streams[descriptor]?.nfd;
                  if (file !== undefined) fdatasyncSync(file);
                  return 0;
                }
              : undefined,
          ),
          done,
        );
      const preRun = [
        ...emscripten.preRun,
        ({ FS }: Module) => {
          FS.filesystems.NODEFS.stream_ops.fsync = ({ nfd }) => {
            if (nfd !== undefined) fsyncSync(nfd);
            return 0;
          };
        },
      ];
      return { emscriptenOpts: { ...emscripten, instantiateWasm, preRun } };
    },
  };
}
