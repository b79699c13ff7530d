// The teams that this server has seen last, by id and by codename. For guesses of what a request is about (read-ahead.ts)
// alone: never shown, never trusted.
import type { Team } from "./api-types.ts";

const MOST_KNOWN = 5000;

const seen = new Map<string, Team>();

/** Remembers what a later request may guess with. */
export function noteTeam(team: Team): void {
  for (const name of [team.id, team.codename]) {
    seen.delete(name);
    seen.set(name, team);
  }
  for (const [oldest] of seen) {
    if (seen.size <= MOST_KNOWN) return;
    seen.delete(oldest);
  }
}

/** The team of an id or a codename, as it was when it was last seen. */
export const seenTeam = (name: string): Team | null => seen.get(name) ?? null;
