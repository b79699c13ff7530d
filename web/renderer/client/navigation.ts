// Navigates without loading the document again: fetches the page's payload and swaps the main region. Whatever it
// cannot do (another layout, another build, no JSON) it leaves to the browser.
import type { Payload, RedirectPayload } from "../rendered.ts";
import { hasNewerBuild, reloadForBuild, ruledAddress } from "./builds.ts";
import { focusedFilter } from "./filters.ts";
import { startIslands, stopIslands } from "./islands.ts";
import { closeMenus } from "./menus.ts";
import { hideProgress, showProgress } from "./progress.ts";
import { putBack, typedSecrets } from "./secrets.ts";
import { start } from "./start.ts";
import { keepToast, toast } from "./toasts.ts";

type Kind = "push" | "replace" | "history";

let current: AbortController | undefined;

/** Starts to answer links, forms and the history buttons. */
export function startNavigation(): void {
  history.scrollRestoration = "manual";
  addEventListener("click", onClick);
  addEventListener("submit", onSubmit);
  addEventListener("popstate", () => void visit(new URL(location.href), "history"));
  addEventListener("pagehide", rememberScroll);
  addEventListener("parley:visit", (event) => {
    if (event instanceof CustomEvent) void visit(new URL(String(event.detail), location.href), "push");
  });
  if (history.state?.y) scrollTo(0, history.state.y);
}

function rememberScroll(): void {
  history.replaceState({ ...history.state, y: scrollY }, "");
}

function onClick(event: MouseEvent): void {
  if (
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.href || link.target || link.hasAttribute("download") || "reload" in link.dataset) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname.startsWith("/v1/")) return;
  if (url.hash && url.pathname === location.pathname && url.search === location.search) return;
  event.preventDefault();
  void visit(url, "push");
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || "reload" in form.dataset) return;
  const data = new FormData(form, event.submitter);
  const url = new URL(
    event.submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href,
    location.href,
  );
  if (form.method === "dialog" || url.origin !== location.origin) return;
  event.preventDefault();
  if (form.method === "get") {
    url.search = new URLSearchParams(
      [...data].flatMap(([key, value]) => (value && typeof value === "string" ? [[key, value]] : [])),
    ).toString();
    void visit(url, "push");
    return;
  }
  // One submit at a time: a second click would send the form twice.
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  void visit(url, "push", data).finally(() => form.removeAttribute("aria-busy"));
}

function payloadAddress(url: URL): string {
  const path = url.pathname === "/" ? "" : url.pathname;
  return `${path}/_payload.json?${start.buildId}${url.search.replace("?", "&")}`;
}

/** The payload of a page, or null where the server gave something else; then the browser shows what it says. */
async function load(
  url: URL,
  signal: AbortSignal,
  body?: FormData,
): Promise<Payload | RedirectPayload | null> {
  try {
    const answer = await fetch(payloadAddress(url), { signal, method: body ? "POST" : "GET", body });
    return await answer.json();
  } catch {
    return null;
  }
}

/** Goes to a page of this app; with `body` its form is posted first. A newer visit takes over from an older one. */
async function visit(asked: URL, kind: Kind, body?: FormData): Promise<void> {
  const url = body ? asked : ruledAddress(asked);
  if (url.origin !== location.origin || url.pathname.startsWith("/v1/")) return location.assign(url);
  if (hasNewerBuild() && !body && reloadForBuild(url)) return;
  current?.abort();
  const controller = new AbortController();
  current = controller;
  showProgress();
  const payload = await load(url, controller.signal, body);
  if (current !== controller) return;
  hideProgress();
  if (!payload) return leave(url, kind);
  if ("redirect" in payload) {
    const target = new URL(payload.redirect, url);
    if (target.origin !== location.origin) return location.assign(target);
    return await visit(target, kind === "history" ? "replace" : kind);
  }
  if (!body && payload.buildId !== start.buildId && reloadForBuild(url)) return;
  if (payload.layout !== document.body.dataset.layout) {
    // The server has handed its toast out with this payload; the document comes without it.
    if (payload.toast) keepToast(payload.toast);
    return leave(url, kind);
  }
  await swap(payload, url, body && payload.status >= 400 ? "replace" : kind, controller.signal);
}

function leave(url: URL, kind: Kind): void {
  if (kind === "push") location.assign(url);
  else location.replace(url);
}

async function swap(payload: Payload, url: URL, kind: Kind, signal: AbortSignal): Promise<void> {
  const main = document.querySelector("main");
  if (!main) return leave(url, kind);
  const stays = url.pathname === location.pathname;
  const filter = stays ? focusedFilter() : null;
  // A form that was answered, and is not done with.
  const secrets = stays && kind !== "history" && !payload.toast ? typedSecrets(main) : [];
  await stopIslands(main);
  if (signal.aborted) return;
  if (kind === "push" && url.href !== location.href) {
    rememberScroll();
    history.pushState({}, "", url);
  } else if (kind !== "history") history.replaceState({}, "", url);

  const change = () => {
    document.title = payload.title;
    main.innerHTML = payload.html;
    putBack(main, secrets);
    for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-nav]")) {
      if (link.getAttribute("href") === payload.current) link.ariaCurrent = "page";
      else link.removeAttribute("aria-current");
    }
    closeMenus();
    startIslands(main, payload.messages);
    arrive(main, url, kind, filter);
  };
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (document.startViewTransition && !calm) {
    const transition = document.startViewTransition(change);
    transition.ready.catch(() => undefined);
    await transition.updateCallbackDone;
  } else change();
  if (payload.toast) toast(payload.toast);
}

/** Puts focus and scroll where a document load would: the first error, the marked field, the anchor, the heading. A filter keeps it. */
function arrive(main: HTMLElement, url: URL, kind: Kind, filter: string | null): void {
  const anchor = url.hash ? document.getElementById(decodeURIComponent(url.hash.slice(1))) : null;
  const target =
    main.querySelector<HTMLElement>("[aria-invalid=true], [autofocus]") ??
    anchor ??
    (filter ? document.getElementById(filter) : null) ??
    main.querySelector<HTMLElement>("h1") ??
    main;
  if (!target.matches("a, button, input, select, textarea, [tabindex]")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  if (kind === "history") scrollTo(0, history.state?.y ?? 0);
  else if (anchor) anchor.scrollIntoView();
  else if (target.matches("section[autofocus]")) target.scrollIntoView({ block: "center" });
  else scrollTo(0, 0);
}
