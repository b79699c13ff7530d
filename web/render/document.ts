// The HTML document: language, theme, title and the data for the islands client. Escapes its values.
import { perLanguage } from "../client/per-language.ts";
import { firstStyles, islandPreloads, pageAssets } from "../request/client-files.ts";
import { i18nFor } from "../request/i18n.ts";
import type { RequestScope } from "../request/request-scope.ts";
import { NOTE_CLICKS, SHOW_END } from "./inline-scripts.ts";
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

/** Escapes text for an element's content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Escapes JSON for a script element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}

/** Turns the support address in HTML text into a link. */
const linkAddress = (html: string, address: string) =>
  html.replaceAll(
    escapeHtml(address),
    `<a href="mailto:${escapeHtml(address)}" class="underline">${escapeHtml(address)}</a>`,
  );

/** The toast as plain markup, for readers without scripts. With scripts the client replaces it. */
function plainToast({ title, description = "", variant = "default" }: Toast, supportEmail: string): string {
  return `<div class="toast-viewport"><div class="toast" data-variant="${variant}" role="status"><div><p class="font-medium">${escapeHtml(title)}</p><p class="toast-text">${linkAddress(escapeHtml(description), supportEmail)}</p></div></div></div>`;
}

const styleLink = `<link rel="stylesheet" href="${pageAssets.style}">`;

/** The same on every page of a build. */
const assetLinks = [
  `<link rel="preload" href="${pageAssets.font}" as="font" type="font/woff2" crossorigin>`,
  ...pageAssets.imports.map((href) => `<link rel="modulepreload" href="${href}">`),
].join("");

/** The texts that every page's script needs. */
const labelsIn = perLanguage((locale) => {
  const { t } = i18nFor(locale as Locale);
  return {
    close: t("toast.close"),
    notification: t("toast.one"),
    notifications: t("toast.label"),
    undo: t("toast.undo"),
    logIn: t("nav.login"),
    palette: t("palette.title"),
    unavailable: t("errors:UNAVAILABLE.title"),
    broken: t("broken.title"),
    brokenText: t("broken.text"),
    reload: t("broken.reload"),
    unsent: t("leaving.unsent"),
    offline: t("leaving.offline"),
    offlineText: t("leaving.offlineText"),
    slow: t("leaving.slow"),
    slowText: t("leaving.slowText"),
    leave: t("leaving.title"),
    leaveText: t("leaving.text"),
    stay: t("leaving.stay"),
    go: t("leaving.go"),
    resumed: t("leaving.resumed"),
    resumedText: t("leaving.resumedText"),
  };
});

/** The whole document of a rendered page. */
export function documentHtml(page: RenderedPage, request: RequestScope): string {
  const needed = page.islands.filter((island) => island.load === "load").map((island) => island.name);
  // After the font, which the first paint should have.
  const preloads = islandPreloads(needed)
    .map(
      (href) =>
        `<link rel="modulepreload" href="${escapeHtml(href)}" fetchpriority="low" nonce="${request.nonce}">`,
    )
    .join("");
  const start = {
    buildId: __BUILD_ID__,
    person: request.user?.id ?? null,
    locale: request.locale,
    messages: page.messages,
    timeZone: request.timeZone,
    labels: labelsIn(request.locale),
    toast: request.toast,
  };
  const body = `${page.body}
<div id="toasts" role="region" tabindex="-1" aria-label="${escapeHtml(labelsIn(request.locale).notifications.replace("{hotkey}", "F8"))}">${request.toast ? plainToast(request.toast, request.supportEmail) : ""}</div>`;
  // A visitor has no stylesheet in the cache yet, so their first paint waits for the document alone. Whoever has logged
  // in has it. In the head it comes first: nothing is shown before it loads.
  const inline = request.user ? undefined : firstStyles?.(body);
  // Without async, a script waits for the stylesheets above it, so it never shows an element without its rules.
  const [first, last, when] = inline
    ? [`<style nonce="${request.nonce}">${inline}</style>`, `${styleLink}\n`, ""]
    : [styleLink, "", " async"];
  return `<!doctype html>
<html lang="${request.locale}" data-theme="${request.theme}" ${request.user ? `data-person="${escapeHtml(request.user.id)}"` : ""} data-support="${escapeHtml(request.supportEmail)}">
<head>
<meta charset="utf-8">
${first}${assetLinks}
${page.islands.length > 0 ? `<script>${NOTE_CLICKS}</script>` : ""}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${request.theme === "system" ? "light dark" : request.theme}">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${preloads}
</head>
<body data-layout="${escapeHtml(page.layout)}">
${body}${body.includes(' role="log"') ? `<script>${SHOW_END}</script>` : ""}
<script type="application/json" id="start">${scriptJson(start)}</script>
${last}<script src="${pageAssets.script}" type="module"${when} nonce="${request.nonce}"></script>
</body>
</html>`;
}
