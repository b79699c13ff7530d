// Owns how often a recurring job runs in one process. Does not know what it does.

/**
 * Returns the job, which is then skipped within `ms` of its last run. A job that takes turns with other processes asks Postgres, which
 * writes a row each time. A tick every two seconds must not cause that.
 */
export function atMostEvery(ms: number, job: () => Promise<void>): () => Promise<void> {
  let ranAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - ranAt < ms) return;
    ranAt = performance.now();
    await job();
  };
}
