// Owns which answers of the web server leave compressed. Does not compress: that is _shared/requests/compression.ts's.
import { compressAnswers } from "../../edge-functions/_shared/requests/compression.ts";

/**
 * An answer that another site had the browser ask for: the only way to make somebody else's browser ask again and again with their
 * session, and to learn from the sizes what the page holds beside the words of the address (BREACH). Browsers say so over
 * HTTPS; without it there is nothing left to guess.
 */
function isAskedForByAnotherSite(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return (site === "cross-site" || site === "same-site") && request.headers.has("cookie");
}

export const compressForBrowsers = compressAnswers(["br", "gzip"], isAskedForByAnotherSite);
