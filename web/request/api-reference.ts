// Owns the API reference at /v1/docs as a page of the web server, because hosted functions return every HTML page of a
// GET as plain text, under a policy that allows nothing. Does not write the page: the function does.
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { passThrough } from "./pass-through.ts";
import type { WebEnv } from "./web-env.ts";

/** The function's page as HTML. The policy allows its one style element and nothing else. */
export async function serveApiReference(c: Context<WebEnv>): Promise<Response> {
  const answer = await passThrough(c);
  if (answer.status !== 200) return answer;
  const page = await answer.text();
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  const headers = new Headers(answer.headers);
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set(
    "content-security-policy",
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  return new Response(page, { status: 200, headers });
}
