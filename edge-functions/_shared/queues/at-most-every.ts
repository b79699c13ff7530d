// Owns how often a recurring job runs in one process. Does not know what it does.

/**
 * The job, skipped within `ms` of its last run. A job that takes turns with other processes asks Postgres, which writes each time: a tick
 * that comes every two seconds must not.
 */
export function atMostEvery(ms: number, job: () => Promise<void>): () => Promise<void> {
  let ranAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - ranAt < ms) return;
    ranAt = performance.now();
    await job();
  };
}
