// Owns which responses of the web server are compressed. Does not compress: _shared/requests/compression.ts does.
import { compressAnswers } from "../../edge-functions/_shared/requests/compression.ts";

/**
 * True for a response that another site's page requested with the reader's cookies. Compressing it would open BREACH:
 * only such a page can make the reader's browser repeat a request with their session, and learn from the sizes what the
 * page contains beside the words in the address. Browsers send Sec-Fetch-Site over HTTPS; over plain HTTP there is
 * nothing left to guess.
 */
function isAskedForByAnotherSite(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return (site === "cross-site" || site === "same-site") && request.headers.has("cookie");
}

export const compressForBrowsers = compressAnswers(["br", "gzip"], isAskedForByAnotherSite);
