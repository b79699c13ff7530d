// Gives each test file of a worker that runs several its own copy of our modules and of the environment, which hold settings and connections.
// Packages stay loaded: loading them is most of a file's start.
import { vi } from "vitest";

const store = globalThis as typeof globalThis & { environmentOfTests?: Record<string, string | undefined> };

store.environmentOfTests ??= { ...process.env };
for (const name of Object.keys(process.env))
  if (!(name in store.environmentOfTests)) delete process.env[name];
Object.assign(process.env, store.environmentOfTests);
vi.resetModules();
// Each copy of a module listens for the process's exit.
process.setMaxListeners(0);
