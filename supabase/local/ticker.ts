// Owns the schedule of the embedded stack: what pg_cron and pg_net do on hosted Supabase.

const EVERY_MS = 2_000;
/** Longer than any slice: a function that hangs must not stop the schedule. */
const LIMIT_MS = 150_000;

/**
 * Calls a function again and again, never twice at once.
 * @returns how to stop.
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
      // Restarting or busy: the next tick tries again, and the queue keeps what waits.
    } finally {
      running = false;
    }
  }, everyMs);
  return () => clearInterval(timer);
}
