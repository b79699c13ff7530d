// How long to wait before trying again. Pure but for chance.

const firstSeconds = 5;
const longestSeconds = 600;

/**
 * Seconds to wait before attempt number `attempt` + 1: 4 times as long each time, from 5 s to 10 minutes, less up to a half at random so that
 * tasks that failed together do not come back together; never less than what the other side asked for.
 */
export function backOffSeconds(attempt: number, askedMs = 0, random: () => number = Math.random): number {
  const longer = Math.min(longestSeconds, firstSeconds * 4 ** Math.max(0, attempt - 1));
  return Math.max(longer * (1 - random() / 2), askedMs / 1000);
}
