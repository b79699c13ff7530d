// Owns the times from which a listing of changes starts, all of them by the service's own clock. Pure.

/** The later of two times, as an ISO string in UTC. Ignores invalid times. */
export function later(a: string | undefined, b: string | undefined): string | undefined {
  const times = [a, b].map((one) => Date.parse(one ?? "")).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : new Date(Math.max(...times)).toISOString();
}

/**
 * Where the next listing of changes starts: at the last change seen. Or when this listing began, if that is earlier: it has passed what
 * was changed meanwhile.
 */
export function changesFrom(latest: string | undefined, begunAt: string | undefined): string | undefined {
  if (!latest || !begunAt) return latest;
  return Date.parse(begunAt) < Date.parse(latest) ? begunAt : latest;
}

/** The cursor of a listing's last page, from what its position holds. */
export function cursorAfter(at: { latest?: string | undefined; begunAt?: string | undefined }): {
  cursor?: string;
} {
  const cursor = changesFrom(at.latest, at.begunAt);
  return cursor ? { cursor } : {};
}

/** When a service answered; undefined when it does not say. */
export function answerTime(headers: Headers): string | undefined {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? undefined : new Date(date).toISOString();
}
