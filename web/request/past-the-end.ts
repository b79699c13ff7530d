// Owns where a list's page past its end leads: rows may have been deleted since its link was shown or shared.

interface List {
  page: number;
  perPage: number;
  total: number;
}

const isList = (value: unknown): value is List =>
  typeof value === "object" &&
  value !== null &&
  ["page", "perPage", "total"].every((name) => Number.isInteger(Reflect.get(value, name)));

/**
 * @param data of a page: a list as the API returns it, or an object with lists
 * @returns the list's last page, as path and query; null when the address is not past the end
 */
export function lastPageOf(url: URL, data: unknown): string | null {
  const asked = url.searchParams.get("page");
  if (!asked || typeof data !== "object" || data === null) return null;
  for (const list of [data, ...Object.values(data)]) {
    if (!isList(list) || String(list.page) !== asked) continue;
    const last = Math.max(1, Math.ceil(list.total / list.perPage));
    if (list.page <= last) continue;
    const search = new URLSearchParams(url.search);
    search.set("page", String(last));
    return `${url.pathname}?${search}`;
  }
  return null;
}
