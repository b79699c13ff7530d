// The HTML document: language, theme, title and the data that the islands client starts from. Values are escaped here.
import { perLanguage } from "../browser/per-language.ts";
import { islandPreloads, pageAssets } from "../server/client-files.ts";
import { i18nFor } from "../server/i18n.ts";
import type { RequestScope } from "../server/request-scope.ts";
import type { Locale } from "./locale.ts";
import type { RenderedPage } from "./render-page.tsx";
import type { Toast } from "./rendered.ts";

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text made safe for an element's content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** JSON made safe inside a script element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}

/** The toast as plain markup: all there is without scripts; with them the client puts its own in this place. */
function plainToast({ title, description = "", variant = "default" }: Toast): string {
  return `<div class="toast-viewport"><div class="toast" data-variant="${variant}" role="status"><div><p class="font-medium">${escapeHtml(title)}</p><p class="mt-0.5 text-muted">${escapeHtml(description)}</p></div></div></div>`;
}

/** The same for every page of a build. The stylesheet first: nothing is shown before it. */
const assetLinks = [
  `<link rel="stylesheet" href="${pageAssets.style}">`,
  `<link rel="preload" href="${pageAssets.font}" as="font" type="font/woff2" crossorigin>`,
  ...pageAssets.imports.map((href) => `<link rel="modulepreload" href="${href}">`),
].join("");

/** The words that the script of every page needs. */
const labelsIn = perLanguage((locale) => {
  const { t } = i18nFor(locale as Locale);
  return {
    close: t("toast.close"),
    notification: t("toast.one"),
    notifications: t("toast.label"),
    palette: t("palette.title"),
    unavailable: t("errors:UNAVAILABLE.title"),
  };
});

/** The whole document for a rendered page. */
export function documentHtml(page: RenderedPage, request: RequestScope): string {
  const needed = page.islands.filter((island) => island.load === "load").map((island) => island.name);
  const preloads = islandPreloads(needed)
    .map((href) => `<link rel="modulepreload" href="${escapeHtml(href)}" nonce="${request.nonce}">`)
    .join("");
  const start = {
    buildId: __BUILD_ID__,
    locale: request.locale,
    messages: page.messages,
    labels: labelsIn(request.locale),
    toast: request.toast,
  };
  return `<!doctype html>
<html lang="${request.locale}" data-theme="${request.theme}">
<head>
<meta charset="utf-8">
${assetLinks}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${request.theme === "system" ? "light dark" : request.theme}">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${preloads}
</head>
<body data-layout="${escapeHtml(page.layout)}">
${page.body}
<div id="toasts">${request.toast ? plainToast(request.toast) : ""}</div>
<script type="application/json" id="start">${scriptJson(start)}</script>
<script src="${pageAssets.script}" type="module" async nonce="${request.nonce}"></script>
</body>
</html>`;
}
