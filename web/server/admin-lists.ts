// What the lists of the admin area share: their filters from the address, and the names of the teams that their rows are in.
import type { DataRequest } from "./request-scope.ts";

/** Reads a filter of the address; undefined where it is absent or empty. */
export function filterOf({ url }: DataRequest, name: string): string | undefined {
  return url.searchParams.get(name)?.trim() || undefined;
}

/** A team's id or codename as somebody typed it; what can be neither finds no team. */
export function teamFilter(request: DataRequest): string | undefined {
  const typed = filterOf(request, "teamId");
  return typed === undefined || /^[A-Za-z0-9-]{1,64}$/.test(typed) ? typed : "-";
}

/** Names by id, of the teams of some rows. */
export async function teamNames(
  { api }: DataRequest,
  rows: { teamId: string }[],
): Promise<Record<string, string>> {
  const ids = [...new Set(rows.map(({ teamId }) => teamId))];
  if (ids.length === 0) return {};
  const { data } = await api.get("/v1/admin/teams", { ids: ids.join(","), perPage: 100 });
  return Object.fromEntries(data.map(({ id, name }) => [id, name]));
}
