// Preloaded into an edge function in a test. Adds what hosted Supabase adds to Deno, by which the function detects it, and measures the
// cost of every call, which a hosted machine limits and a test reads in the header x-spent. Needs --expose-gc.
import process from "node:process";

globalThis.EdgeRuntime = { waitUntil() {} };

const serve = Deno.serve;
Deno.serve = (options, handler) =>
  serve(options, async (request) => {
    const before = process.cpuUsage();
    const response = await handler(request);
    const { user, system } = process.cpuUsage(before);
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    const spent = { cpuMs: (user + system) / 1000, heapMib: (heapUsed + external) / 2 ** 20 };
    response.headers.set("x-spent", JSON.stringify(spent));
    return response;
  });
