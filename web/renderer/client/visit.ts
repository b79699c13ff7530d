// Visits a page without loading the document again: fetches its payload, and swaps the main region for another page or morphs it for the
// same one. Whatever it cannot do (another layout, another build, no JSON) it leaves to the browser.
import type { Payload, RedirectPayload } from "../rendered.ts";
import { hasNewerBuild, reloadForBuild, ruledAddress } from "./builds.ts";
import { startIslands, stopIslands } from "./islands.ts";
import { closeMenus } from "./menus.ts";
import { hideProgress, showProgress } from "./progress.ts";
import { startRenaming } from "./renaming.ts";
import { shown } from "./shown.ts";
import { start } from "./start.ts";
import { keepToast, toast } from "./toasts.ts";
import { comesBack, forget, goesBack, keepTyped, mayLeave, restoreTyped, watchForms } from "./typed.ts";

type Kind = "push" | "replace" | "history";

interface Visit {
  kind: Kind;
  /** What a posted form sends, and the form. */
  body?: FormData;
  form?: HTMLFormElement;
  /** What the form sent, once it was accepted. */
  sent?: FormData;
  /** The link or field that asked for it. */
  activator?: Element | null;
}

const RETRY_MS = 5_000;

/** The visit that is under way. */
let current: { controller: AbortController; isRefresh: boolean } | undefined;
/** How deep in this tab's history the page is: tells how far the history buttons went. */
let depth: number = history.state?.depth ?? 0;
let isReturning = false;

const isRefresh = (url: URL, { form, activator, kind }: Visit) =>
  !form && !activator && kind !== "history" && samePage(url, new URL(shown.href));

const samePage = (one: URL, other: URL) => one.pathname === other.pathname && one.search === other.search;

/** Answers the history buttons: they leave a page with something typed only when that is wanted. */
export async function visitHistory(): Promise<void> {
  if (isReturning) {
    isReturning = false;
    return;
  }
  const url = new URL(location.href);
  if (samePage(url, new URL(shown.href))) return sameAgain();
  const steps = (history.state?.depth ?? 0) - depth;
  if (!(await asked(steps))) return;
  depth += steps;
  shown.isBehind = true;
  await show(url, { kind: "history" });
}

/** A link to another place of the shown page, or the way back from there, or from a page that has not come yet. */
function sameAgain(): void {
  const { state } = history;
  if (shown.isBehind) {
    current?.controller.abort();
    hideProgress();
    watchForms();
  }
  depth = state?.depth ?? depth + 1;
  if (state?.depth === undefined) history.replaceState({ depth }, "");
  else if (state.y !== undefined && !shown.isBehind) scrollTo(0, state.y);
  arrived();
}

/** The address is that of the page on the screen. */
function arrived(): void {
  shown.href = location.href;
  shown.isBehind = false;
}

/** Whether a step in the history may leave the page. While that is asked, the address is the page's own again. */
async function asked(steps: number): Promise<boolean> {
  if (mayLeave.unasked()) return true;
  await step(-steps);
  if (!(await mayLeave())) return false;
  await step(steps);
  return true;
}

function step(steps: number): Promise<void> {
  isReturning = true;
  return new Promise((resolve) => {
    addEventListener("popstate", () => resolve(), { once: true });
    history.go(steps);
  });
}

/**
 * Goes to a page of this app, or reads the shown one again; with `body` its form is posted first. A newer visit takes over from an older
 * one, but a refresh that nobody asked for gives way to what the reader does: a link that was followed, a form that was sent.
 */
export async function visit(url: URL, how: Visit): Promise<void> {
  if (isRefresh(url, how) && current && !current.isRefresh) return;
  // It is on its way.
  if (shown.isBehind && current && !how.form && samePage(url, new URL(location.href))) return;
  if (!shown.isBehind) arrived();
  const here = new URL(shown.href);
  const leaves = !how.body && !samePage(url, here);
  if (leaves && !(await mayLeave(url.pathname !== here.pathname))) return;
  await show(url, how);
}

async function show(asked: URL, how: Visit): Promise<void> {
  const { body, kind } = how;
  const url = body ? asked : ruledAddress(asked);
  if (url.origin !== location.origin || url.pathname.startsWith("/v1/")) return location.assign(url);
  keepTyped();
  if (hasNewerBuild() && !body && reload(url, kind)) return;
  current?.controller.abort();
  const mine = { controller: new AbortController(), isRefresh: isRefresh(url, how) };
  const { signal } = mine.controller;
  current = mine;
  showProgress();
  try {
    await arriveAt(url, how, signal);
  } finally {
    if (current === mine) current = undefined;
  }
}

async function arriveAt(url: URL, how: Visit, signal: AbortSignal): Promise<void> {
  const { kind, body } = how;
  const payload = await load(url, signal, body);
  if (signal.aborted) return;
  hideProgress();
  if (payload === "unreachable") return;
  if (!payload) return leave(url, kind);
  if ("redirect" in payload) {
    const target = new URL(payload.redirect, url);
    if (target.origin !== location.origin) return location.assign(target);
    const { pathname } = target;
    // The session has ended: what was typed waits for whoever comes back.
    if (body && pathname === "/login" && url.pathname !== "/login") comesBack(url.href);
    else if (body) forget(url.href, body);
    return await show(target, {
      ...how,
      body: undefined,
      sent: body,
      kind: kind === "history" ? "replace" : kind,
    });
  }
  if (!body && payload.buildId !== start.buildId && reload(url, kind)) return;
  if (payload.layout !== document.body.dataset.layout) {
    // The server has handed its toast out with this payload; the document comes without it.
    if (payload.toast) keepToast(payload.toast);
    return leave(url, kind);
  }
  await put(payload, url, { ...how, kind: body && payload.status >= 400 ? "replace" : kind }, signal);
}

function payloadAddress(url: URL): string {
  const path = url.pathname === "/" ? "" : url.pathname;
  return `${path}/_payload.json?${start.buildId}${url.search.replace("?", "&")}`;
}

/**
 * The payload of a page; null where the server gave something else, which the browser then shows. A page that cannot be reached is asked
 * for again until it can; a form is not, since nobody knows whether it arrived, unless the browser knows that it did not.
 */
async function load(
  url: URL,
  signal: AbortSignal,
  body?: FormData,
): Promise<Payload | RedirectPayload | "unreachable" | null> {
  for (let tries = 0; ; tries += 1) {
    const offline = !navigator.onLine;
    const answer = offline
      ? null
      : await fetch(payloadAddress(url), { signal, method: body ? "POST" : "GET", body }).catch(() => null);
    if (answer) {
      if (tries > 0) document.getElementById("toasts")?.querySelector(":scope > [role=alert]")?.remove();
      return await answer.json().catch(() => null);
    }
    if (signal.aborted) return null;
    const { offline: title, offlineText, unavailable, unsent } = start.labels;
    if (body && !offline) {
      hideProgress();
      toast({ title: unavailable, description: unsent, variant: "destructive" });
      return "unreachable";
    }
    if (tries === 0) toast({ title, description: offlineText, variant: "destructive" });
    await reachable(signal);
  }
}

function reachable(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, RETRY_MS);
    addEventListener("online", () => resolve(), { once: true });
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Loads the document for another build, as reloadForBuild() allows. */
function reload(url: URL, kind: Kind): boolean {
  if (kind === "history") goesBack(url.href);
  return reloadForBuild(url);
}

function leave(url: URL, kind: Kind): void {
  mayLeave.now();
  if (kind === "history") goesBack(url.href);
  if (kind === "push") location.assign(url);
  else location.replace(url);
}

function setAddress(url: URL, kind: Kind): void {
  if (kind === "push" && url.href !== location.href) {
    history.replaceState({ ...history.state, depth, y: scrollY }, "");
    depth += 1;
    history.pushState({ depth }, "", url);
  } else if (kind !== "history") history.replaceState({ depth }, "", url);
  arrived();
}

/** Puts a payload on the screen: the same page is morphed, another one takes its place. */
async function put(payload: Payload, url: URL, how: Visit, signal: AbortSignal): Promise<void> {
  const main = document.querySelector("main");
  if (!main) return leave(url, how.kind);
  const before = new URL(shown.href);
  const isSame = how.kind !== "history" && url.pathname === before.pathname;
  if (isSame) {
    const { morphMain } = await import("./morph.ts");
    if (signal.aborted) return;
    morphMain(main, payload.html, {
      submitted: how.form,
      done: !how.body,
      sent: how.body ?? how.sent,
      keepsIslands: how.form !== undefined || samePage(url, before),
      messages: payload.messages,
    });
    setAddress(url, how.kind);
    frame(payload);
    startIslands(main, payload.messages);
    stay(main, url, before, how);
    if (how.activator || how.form) closeMenus();
  } else {
    // Whoever typed something while it was on its way is asked now.
    if (how.kind === "push" && !how.form && !(await mayLeave())) return;
    let isShown = false;
    await transition(() => {
      // In one go, so that no address and no typed text is ever taken for another page's.
      if (signal.aborted) return;
      keepTyped();
      stopIslands(main);
      setAddress(url, how.kind);
      isShown = true;
      main.innerHTML = payload.html;
      restoreTyped(how.kind === "history");
      frame(payload);
      startIslands(main, payload.messages);
      arrive(main, url, how.kind);
    });
    if (!isShown) return;
  }
  watchForms();
  if (payload.toast) toast(payload.toast);
}

/** What stands around the main region. */
function frame({ title, current: entry }: Payload): void {
  document.title = title;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-nav]")) {
    if (link.getAttribute("href") === entry) link.ariaCurrent = "page";
    else link.removeAttribute("aria-current");
  }
}

async function transition(change: () => void): Promise<void> {
  const swap = () => {
    change();
    closeMenus();
  };
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!document.startViewTransition || calm) return swap();
  const running = document.startViewTransition(swap);
  running.ready.catch(() => undefined);
  await running.updateCallbackDone;
}

const paging = ["page", "lastKey"];
/** Whether two addresses of a list are other pages of it. */
const turnsPage = (url: URL, before: URL) =>
  paging.some((name) => url.searchParams.get(name) !== before.searchParams.get(name));

/** After a refresh the reader stays where they are: what is wrong is pointed at, and focus that lost its place goes to the heading. */
function stay(main: HTMLElement, url: URL, before: URL, how: Visit): void {
  const wrong =
    how.form &&
    (main.querySelector<HTMLElement>("[aria-invalid=true]") ??
      main.querySelector<HTMLElement>("form[data-refused] [role=alert]"));
  if (wrong) focus(wrong, false);
  else if (how.activator && url.hash) arrive(main, url, how.kind);
  else if (how.activator && turnsPage(url, before)) arrive(main, url, how.kind);
  else if (main.querySelector("section[autofocus]") && how.form) arrive(main, url, how.kind);
  else if (document.activeElement === document.body || !document.activeElement)
    focus(main.querySelector<HTMLElement>("h1") ?? main, true);
}

function focus(target: HTMLElement, preventScroll: boolean): void {
  if (!target.matches("a, button, input, select, textarea, [tabindex]")) target.tabIndex = -1;
  target.focus({ preventScroll });
}

/** Puts focus and scroll where a document load would: the first error, the marked field, the anchor, the heading. */
function arrive(main: HTMLElement, url: URL, kind: Kind): void {
  const anchor = url.hash ? document.getElementById(decodeURIComponent(url.hash.slice(1))) : null;
  const target =
    main.querySelector<HTMLElement>("[aria-invalid=true], [autofocus]") ??
    anchor ??
    main.querySelector<HTMLElement>("h1") ??
    main;
  focus(target, true);
  if (kind === "history") scrollTo(0, history.state?.y ?? 0);
  else if (anchor) anchor.scrollIntoView();
  else if (target.matches("section[autofocus]")) target.scrollIntoView({ block: "center" });
  else scrollTo(0, 0);
}

history.replaceState({ ...history.state, depth }, "");
startRenaming();
restoreTyped(false);
watchForms();
