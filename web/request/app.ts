// Owns the web server's routes: health, builds, static files, the /v1 pass-through, preferences and pages.

import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { decodePercent } from "#edge-functions/_shared/text/percent.ts";
import { ApiFailure } from "./api-failure.ts";
import { serveApiReference } from "./api-reference.ts";
import { clientAddress } from "./client-address.ts";
import { compressForBrowsers } from "./compress-for-browsers.ts";
import { receiveFirstFile } from "./first-file.ts";
import { observeRequests } from "./observe.ts";
import { operatorEndpoints } from "./operator-endpoints.ts";
import { isFromOwnOrigin } from "./origin.ts";
import { servePalette } from "./palette.ts";
import { answerUnexpected, errorAnswer, foreignAnswer, passThrough } from "./pass-through.ts";
import { servePlaces } from "./places.ts";
import { setPreferences } from "./preferences.ts";
import { routeRules } from "./route-rules.ts";
import { commonHeaders } from "./security-headers.ts";
import { servePage } from "./serve-page.ts";
import { staticFile } from "./static-files.ts";
import type { WebEnv } from "./web-env.ts";

const FORM_BYTES = 1024 * 1024;
const tooLarge = {
  code: "PAYLOAD_TOO_LARGE",
  details: [{ path: "", code: "tooLarge", params: { limit: "1" }, message: "" }],
};

/** Far more than anybody types. */
const MOST_READ_BYTES = 32 * FORM_BYTES;

/** A browser that is answered while it still sends shows that the connection was reset instead of the answer. */
async function readToItsEnd({ body }: Request): Promise<void> {
  if (!body || body.locked) return;
  let read = 0;
  try {
    for await (const chunk of body) {
      read += chunk.length;
      if (read > MOST_READ_BYTES) return;
    }
  } catch {
    // The browser has gone.
  }
}

export const app = new Hono<WebEnv>();

app.use(observeRequests("web"));
app.use(async (c, next) => {
  c.set("clientAddress", clientAddress(c));
  await next();
  for (const [name, value] of Object.entries(commonHeaders)) {
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  }
});

app.route("/", operatorEndpoints);

app.use(async (c, next) => {
  if (isFromOwnOrigin(c.req.raw)) return await next();
  return foreignAnswer(c.get("requestId"));
});

app.use(compressForBrowsers);
app.get("/v1/docs", serveApiReference);
app.all("/v1", passThrough);
app.all("/v1/*", passThrough);

app.get("/builds/latest.json", (c) =>
  c.json({ id: __BUILD_ID__ }, 200, { "cache-control": "no-store", "x-build-id": __BUILD_ID__ }),
);
app.get("/builds/meta/:file{.+\\.json}", (c) => {
  if (c.req.param("file") !== `${__BUILD_ID__}.json`) {
    return errorAnswer(404, "NOT_FOUND", "Data not found", c.get("requestId"));
  }
  // The rules include this installation's redirects as well as the build's.
  return c.json({ id: __BUILD_ID__, routeRules }, 200, { "cache-control": "public, max-age=300" });
});

app.get("*", async (c, next) => {
  const file = staticFile(c.req.path, c.req.raw);
  if (file) return file;
  // A file of an older build. There is no page to render for it.
  if (c.req.path.startsWith("/assets/")) return c.text("Not found", 404, { "cache-control": "no-store" });
  return await next();
});

// vike's own addresses: its development server throws on some, and our client replaces its navigation.
app.use(async (c, next) => {
  if (!/^\/(@|__vite|favicon\.ico$)|\.pageContext\.json$/.test(decodePercent(c.req.path)))
    return await next();
  return errorAnswer(404, "NOT_FOUND", "Data not found", c.get("requestId"));
});

// Registered before the form size limit: it carries a file, and the API limits the size of files.
app.post("/onboarding/file", receiveFirstFile);

app.get("/palette.json", servePalette);
app.get("/places.json", servePlaces);
app.post(
  "*",
  bodyLimit({
    maxSize: FORM_BYTES,
    onError: async (c: Context<WebEnv>) => {
      await readToItsEnd(c.req.raw);
      return servePage(c, new ApiFailure(c.req.path, 413, "Payload Too Large", tooLarge));
    },
  }),
);
app.post("/preferences", setPreferences);
app.on(["GET", "HEAD", "POST"], "*", (c) => servePage(c));
app.all("*", (c) =>
  errorAnswer(405, "METHOD_NOT_ALLOWED", "Pages take GET and POST.", c.get("requestId"), {
    allow: "GET, HEAD, POST",
  }),
);

app.onError(answerUnexpected);
