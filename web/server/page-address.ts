// Which page an address means, whether its document is asked for or its payload.

const PAYLOAD = "/_payload.json";

/** The page that an address means: without _payload.json and the build id that follows it. */
export function pageAddress(url: URL): { url: URL; wantsPayload: boolean } {
  if (!url.pathname.endsWith(PAYLOAD)) return { url, wantsPayload: false };
  const page = new URL(url);
  page.pathname = url.pathname.slice(0, -PAYLOAD.length) || "/";
  const [first = "", ...rest] = url.search.slice(1).split("&");
  page.search = (first.includes("=") ? [first, ...rest] : rest).join("&");
  return { url: page, wantsPayload: true };
}
