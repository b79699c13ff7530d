// The gallery's server: `npm run gallery`. Shows the app's pages and parts in every state at /gallery, from samples
// alone: no database, no API, no output of `npm run build`. With `--built` everything is bundled first and never
// rebuilt, for tests.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createBuiltGallery } from "./built.ts";
import { createDevGallery, type Gallery } from "./developed.ts";
import { NOW, sampleAnswer } from "./samples.ts";

// Nothing here needs a secret signature.
process.env.COOKIE_SECRET ??= "only-for-the-gallery";
const port = Number(process.env.GALLERY_PORT ?? 3005 + Number(process.env.PARLEY_PORT_OFFSET ?? 0));

async function answer(gallery: Gallery, url: URL, { method = "GET", headers }: IncomingMessage) {
  const { answerCall, answerGallery, answerPalette } = await gallery.load();
  const from = new URL(headers.referer ?? url, url);
  if (url.pathname.startsWith("/v1/")) {
    const body = answerCall(method, url.pathname, from, sampleAnswer);
    return body === undefined ? null : { type: "application/json", body: JSON.stringify(body) };
  }
  if (url.pathname === "/palette.json")
    return { type: "application/json", body: JSON.stringify(answerPalette(from)) };
  if (url.pathname === "/builds/latest.json") return { type: "application/json", body: '{"id":"gallery"}' };
  if (url.pathname.startsWith("/builds/")) return { type: "application/json", body: '{"routeRules":{}}' };
  if (!/^\/gallery(\/|$)/.test(url.pathname)) return null;
  const html = await answerGallery(url, sampleAnswer);
  return html && { type: "text/html", body: await gallery.transform(url.pathname, html) };
}

function send(
  response: ServerResponse,
  status: number,
  { type, body }: { type: string; body: string },
): void {
  response.writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" });
  response.end(body);
}

async function handle(gallery: Gallery, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", `http://127.0.0.1:${port}`);
  try {
    const answered = await answer(gallery, url, request);
    if (answered) send(response, 200, answered);
    else
      gallery.sendFile(request, response, () =>
        send(response, 404, { type: "text/plain", body: "Not found" }),
      );
  } catch (error) {
    console.error(error);
    send(response, 500, { type: "text/plain", body: String(error instanceof Error ? error.stack : error) });
  }
}

async function start(): Promise<Server> {
  const gallery = process.argv.includes("--built") ? await createBuiltGallery() : await createDevGallery();
  // A fixed clock: "3 days ago" stays the same tomorrow.
  Date.now = () => NOW;
  const server = createServer((request, response) => void handle(gallery, request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void gallery.close().finally(() => process.exit(0)));
  const address = server.address();
  console.log(`ready http://127.0.0.1:${typeof address === "object" ? address?.port : port}/gallery`);
  return server;
}

await start();
