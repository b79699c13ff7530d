// A fake website over HTTP: pages with entity tags, redirects, robots, compressed sitemaps, rate limits, traps, unusual encodings, a login,
// and pages that vanish.
import { gzipSync } from "node:zlib";
import { startUpstream } from "../upstream.ts";

export interface FakePage {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  delayMs?: number;
}

export interface WebsiteFake {
  url: string;
  /** By path and query. */
  pages: Record<string, FakePage>;
  robots: string | undefined;
  /** "name:password" of HTTP authentication. */
  login: string | undefined;
  /** Queued replies that come before all others. */
  refusals: FakePage[];
  /** The reply to an unknown path. */
  nothing: FakePage;
  /** "GET /path", "304 /path". */
  calls: string[];
  authorizations: (string | undefined)[];
  close(): Promise<void>;
}

export const pageOf = (title: string, text: string, links: string[] = [], head = ""): FakePage => ({
  body: `<!doctype html><html><head><title>${title}</title>${head}</head><body>
    <nav><a href="/">Home</a><a href="/">Menu words</a></nav>
    <div id="cookie-banner" class="cookie-banner">We use cookies</div>
    <main><h1>${title}</h1><p>${text} ${"Every sentence here is long enough to be the main text of a page. ".repeat(4)}</p>
    ${links.map((href) => `<a href="${href}">${href}</a>`).join(" ")}</main><footer>Imprint</footer></body></html>`,
});

export const sitemapOf = (addresses: string[], kind: "urlset" | "sitemapindex" = "urlset"): FakePage => {
  const tag = kind === "urlset" ? "url" : "sitemap";
  const body = `<?xml version="1.0"?><${kind}>${addresses.map((one) => `<${tag}><loc>${one}</loc></${tag}>`).join("")}</${kind}>`;
  return { body: gzipSync(body), headers: { "content-type": "application/xml" } };
};

export async function startWebsiteFake(at = 0): Promise<WebsiteFake> {
  const upstream = await startUpstream(at);
  const fake: WebsiteFake = {
    url: upstream.url,
    pages: {},
    robots: undefined,
    login: undefined,
    refusals: [],
    nothing: { status: 404, body: "<h1>Not found</h1>" },
    calls: [],
    authorizations: [],
    close: () => upstream.close(),
  };
  upstream.handle(async (request, response) => {
    const path = request.url ?? "/";
    fake.authorizations.push(request.headers.authorization);
    const send = ({ status = 200, headers = {}, body = "", delayMs = 0 }: FakePage) =>
      void setTimeout(() => {
        fake.calls.push(`${status === 304 ? 304 : "GET"} ${path}`);
        response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
      }, delayMs);
    const refusal = fake.refusals.shift();
    if (refusal) return send(refusal);
    if (path === "/robots.txt")
      return send(
        fake.robots === undefined
          ? { status: 404 }
          : { headers: { "content-type": "text/plain" }, body: fake.robots },
      );
    const basic = fake.login && `Basic ${Buffer.from(fake.login).toString("base64")}`;
    if (basic && request.headers.authorization !== basic)
      return send({ status: 401, headers: { "www-authenticate": "Basic" } });
    const page = fake.pages[path] ?? fake.nothing;
    const etag = page.headers?.etag;
    if (etag && request.headers["if-none-match"] === etag) return send({ status: 304, headers: { etag } });
    send(page);
  });
  return fake;
}
