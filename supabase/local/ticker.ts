// Owns the schedule of the embedded stack: the counterpart of pg_cron and pg_net on hosted Supabase.

const EVERY_MS = 2_000;
/** Longer than any slice of work, so that a function that hangs cannot stop the schedule. */
const LIMIT_MS = 150_000;

/**
 * Calls a function repeatedly, never twice at once.
 * @returns a function that stops it.
 */
export function startTicking(url: string, serviceKey: string, everyMs = EVERY_MS): () => void {
  let running = false;
  const timer = setInterval(async () => {
    if (running) return;
    running = true;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${serviceKey}`, "content-type": "application/json" },
        body: "{}",
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      await response.arrayBuffer();
    } catch {
      // The function restarts or is busy: the next tick tries again, and the queue keeps the work.
    } finally {
      running = false;
    }
  }, everyMs);
  return () => clearInterval(timer);
}
