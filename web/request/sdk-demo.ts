// A demo page that stands for a customer's site: plain HTML under a strict policy, with the script as customers embed it.
import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { escapeHtml } from "../render/document.ts";
import { isLocale, localeFromHeader } from "../render/locale.ts";
import { demoAgentId } from "./demo-agent.ts";
import { i18nFor } from "./i18n.ts";
import { commonHeaders } from "./security-headers.ts";
import type { WebEnv } from "./web-env.ts";
import { widgetSnippet } from "./widget-snippet.ts";

const STYLE =
  "body{font:16px/1.6 system-ui,sans-serif;max-width:42rem;margin:12vh auto;padding:0 20px}pre{overflow-x:auto;padding:14px;border:1px solid;border-radius:8px;font-size:13px}";

/** ?agent= names a public agent. Without it the page shows the installation's demo agent, if there is one. */
export async function serveDemoPage(c: Context<WebEnv>): Promise<Response> {
  const asked = c.req.query("lang") ?? "";
  const locale = isLocale(asked) ? asked : localeFromHeader(c.req.header("accept-language"));
  const { t } = i18nFor(locale);
  const agent = c.req.query("agent") ?? (await demoAgentId());
  const snippet = agent ? widgetSnippet(agent) : "";
  const nonce = randomBytes(16).toString("base64url");
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return c.html(
    `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(t("embed:demo.title"))}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(t("embed:demo.title"))}</h1>
<p>${escapeHtml(agent ? t("embed:demo.text") : t("embed:demo.none"))}</p>
<pre tabindex="0"><code>${escapeHtml(snippet)}</code></pre>
</main>
${snippet}
</body>
</html>`,
    200,
    { ...commonHeaders, "content-security-policy": policy, "cache-control": "private, no-cache" },
  );
}
