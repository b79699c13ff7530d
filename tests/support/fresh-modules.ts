// Gives each test file of a worker that runs several its own copy of our modules and of the environment, which hold settings and connections,
// and undoes what it replaced. Packages stay loaded: loading them is most of a file's start.
import { afterAll, vi } from "vitest";

const store = globalThis as typeof globalThis & { environmentOfTests?: Record<string, string | undefined> };

store.environmentOfTests ??= { ...process.env };
for (const name of Object.keys(process.env))
  if (!(name in store.environmentOfTests)) delete process.env[name];
Object.assign(process.env, store.environmentOfTests);
vi.resetModules();
// After the file's own: the first of these hooks runs last.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
// Each copy of a module listens for the process's exit.
process.setMaxListeners(0);
