// Maps an address to its page, for requests of the document and of its payload.

import { NO_FILTER } from "../render/no-filter.ts";

const PAYLOAD = "/_payload.json";

/** The address without its unset filters. */
function withoutEmptyFilters(url: URL): URL {
  const unset = [...url.searchParams].filter(([, value]) => value === NO_FILTER);
  if (unset.length === 0) return url;
  const page = new URL(url);
  for (const [name] of unset) page.searchParams.delete(name);
  return page;
}

/** The page of an address, without _payload.json and the build id that follows it. */
export function pageAddress(url: URL): { url: URL; wantsPayload: boolean } {
  if (!url.pathname.endsWith(PAYLOAD)) return { url: withoutEmptyFilters(url), wantsPayload: false };
  const page = new URL(url);
  page.pathname = url.pathname.slice(0, -PAYLOAD.length) || "/";
  const [first = "", ...rest] = url.search.slice(1).split("&");
  page.search = (first.includes("=") ? [first, ...rest] : rest).join("&");
  return { url: withoutEmptyFilters(page), wantsPayload: true };
}
