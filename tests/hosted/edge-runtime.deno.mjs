// Preloaded into a deployed function: what hosted Supabase's edge runtime adds to Deno and removes from it (supabase/edge-runtime,
// ext/runtime/js/bootstrap.js), and its limit of two seconds of CPU time per call.
import process from "node:process";

globalThis.EdgeRuntime = { waitUntil: (work) => void Promise.resolve(work).catch(() => {}) };
delete globalThis.Worker;

const mocked = ["kill", "exit", "addSignalListener", "removeSignalListener"];
for (const name of mocked) Deno[name] = () => {};
const withheld = [
  "Command",
  "run",
  "dlopen",
  "watchFs",
  "openSync",
  "createSync",
  "realPathSync",
  "symlinkSync",
  "chmod",
];
for (const name of withheld) {
  Deno[name] = () => {
    throw new Deno.errors.PermissionDenied(`Deno.${name} is blocklisted`);
  };
}

const port = Number(process.env.HOSTED_PORT);
for (const name of ["HOSTED_PORT", "DENO_DIR"]) delete process.env[name];

const cpuMs = 2000;
const serve = Deno.serve;
Deno.serve = (options, handler) => {
  const answer = typeof options === "function" ? options : handler;
  return serve({ port, hostname: "127.0.0.1", onListen: () => {} }, async (request, info) => {
    const before = process.cpuUsage();
    const response = await answer(request, info);
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 > cpuMs)
      console.error(
        `beyond the limit of CPU time: ${request.method} ${request.url} took ${(user + system) / 1000} ms`,
      );
    return response;
  });
};
