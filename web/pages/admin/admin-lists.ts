// Shared by the admin lists: their filters in the query string, and the names of their rows' teams.
import type { DataRequest } from "../../request/request-scope.ts";

/** Reads a filter from the query string; undefined when it is absent or empty. */
export function filterOf({ url }: DataRequest, name: string): string | undefined {
  return url.searchParams.get(name)?.trim() || undefined;
}

/** A team's id or slug as typed into the filter. Malformed input becomes "-", which matches no team. */
export function teamFilter(request: DataRequest): string | undefined {
  const typed = filterOf(request, "teamId");
  return typed === undefined || /^[A-Za-z0-9-]{1,64}$/.test(typed) ? typed : "-";
}

/** Maps the team ids of some rows to team names. */
export async function teamNames(
  { api }: DataRequest,
  rows: { teamId: string }[],
): Promise<Record<string, string>> {
  const ids = [...new Set(rows.map(({ teamId }) => teamId))];
  if (ids.length === 0) return {};
  const { data } = await api.get("/v1/admin/teams", { ids: ids.join(","), perPage: 100 });
  return Object.fromEntries(data.map(({ id, name }) => [id, name]));
}
