// Navigates without loading a document: fetches the page's payload, then swaps the main region for another page or
// morphs it for the same one. Leaves to the browser what it cannot do (another layout, another build, no JSON).
import { decodePercent } from "#edge-functions/_shared/text/percent.ts";
import { noteClicks } from "../../render/early-clicks.ts";
import type { Payload, RedirectPayload } from "../../render/rendered.ts";
import { loginHref } from "../page.ts";
import { noteAnswer } from "../repeat-keys.ts";
import { inTab } from "../storage.ts";
import { hasNewerBuild, reloadForBuild } from "./builds.ts";
import { showCurrentEntry } from "./current-entry.ts";
import { reveal, revealInvalid } from "./folds.ts";
import { keyForForm } from "./form-keys.ts";
import { startIslands, stopIslands } from "./islands.ts";
import { closeMenus } from "./menus.ts";
import { hideProgress, showProgress } from "./progress.ts";
import { waitUntilReachable } from "./reachable.ts";
import { redirectedAddress } from "./redirects.ts";
import { startRenaming } from "./renaming.ts";
import { shown } from "./shown.ts";
import { start } from "./start.ts";
import { KEPT, toast } from "./toasts.ts";
import {
  dropStored,
  isEdited,
  keepTyped,
  markHistoryReturn,
  mayLeave,
  restoreTyped,
  returnAfterLogin,
  watchForms,
} from "./typed.ts";

type Kind = "push" | "replace" | "history";

interface Visit {
  kind: Kind;
  /** The body of a posted form, and the form. */
  body?: FormData;
  form?: HTMLFormElement;
  /** What the form sent, once it was accepted. */
  sent?: FormData;
  /** The link or field that started the visit. */
  activator?: Element | null;
}

/** The visit in progress. */
let current: { controller: AbortController; isRefresh: boolean } | undefined;
/** Position of the page in this tab's history, from which the distance of a history step follows. */
let depth: number = history.state?.depth ?? 0;
let isReturning = false;

const isRefresh = (url: URL, { form, activator, kind }: Visit) =>
  !form && !activator && kind !== "history" && samePage(url, new URL(shown.href));

const samePage = (one: URL, other: URL) => one.pathname === other.pathname && one.search === other.search;

/** Handles the history buttons. Confirms before they leave a page with unsaved text. */
export async function visitHistory(): Promise<void> {
  if (isReturning) {
    isReturning = false;
    return;
  }
  const url = new URL(location.href);
  if (samePage(url, new URL(shown.href))) return handleSamePage();
  const steps = (history.state?.depth ?? 0) - depth;
  if (!(await confirmLeave(steps))) return;
  depth += steps;
  shown.isBehind = true;
  await show(url, { kind: "history" });
}

/** Handles a step to another anchor of the shown page, back from one, or back from a page that has not loaded yet. */
function handleSamePage(): void {
  const { state } = history;
  if (shown.isBehind) {
    current?.controller.abort();
    hideProgress();
    watchForms();
  }
  depth = state?.depth ?? depth + 1;
  if (state?.depth === undefined) history.replaceState({ depth }, "");
  else if (state.y !== undefined && !shown.isBehind) scrollTo(0, state.y);
  markArrived();
}

/** Records that the address belongs to the page on the screen. */
function markArrived(): void {
  shown.href = location.href;
  shown.isBehind = false;
}

/** True when a history step may leave the page. While the dialog asks, the address is the shown page's again. */
async function confirmLeave(steps: number): Promise<boolean> {
  if (mayLeave.unasked()) return true;
  await stepHistory(-steps);
  if (!(await mayLeave())) return false;
  await stepHistory(steps);
  return true;
}

function stepHistory(steps: number): Promise<void> {
  isReturning = true;
  return new Promise((resolve) => {
    addEventListener("popstate", () => resolve(), { once: true });
    history.go(steps);
  });
}

/**
 * Navigates to a page of this app, or reloads the shown one; with `body` it posts the form first. A newer visit cancels
 * an older one, except that an automatic refresh yields to a link or form of the reader.
 */
export async function visit(url: URL, how: Visit): Promise<void> {
  if (isRefresh(url, how) && current && !current.isRefresh) return;
  // The visit is in progress already.
  if (shown.isBehind && current && !how.form && samePage(url, new URL(location.href))) return;
  if (!shown.isBehind) markArrived();
  const here = new URL(shown.href);
  // A link for a reader whose session has ended. What they typed waits until they have logged in again.
  if (!how.body && url.href === new URL(loginHref(), here).href) returnAfterLogin(here.href);
  const leaves = !how.body && !samePage(url, here);
  if (leaves && !(await mayLeave(url.pathname !== here.pathname))) return;
  await show(url, how);
}

async function show(asked: URL, how: Visit): Promise<void> {
  const { body, kind } = how;
  const url = body ? asked : redirectedAddress(asked);
  if (url.origin !== location.origin || url.pathname.startsWith("/v1/")) return location.assign(url);
  keepTyped();
  if (hasNewerBuild() && !body && reload(url, kind)) return;
  current?.controller.abort();
  const mine = { controller: new AbortController(), isRefresh: isRefresh(url, how) };
  const { signal } = mine.controller;
  current = mine;
  showProgress();
  try {
    await loadPage(url, how, signal);
  } finally {
    if (current === mine) current = undefined;
  }
}

async function loadPage(url: URL, how: Visit, signal: AbortSignal): Promise<void> {
  const { kind, body } = how;
  const payload = await load(url, signal, how);
  if (signal.aborted) return;
  hideProgress();
  if (payload === "unreachable") return;
  const stays = body !== undefined && how.form !== undefined && isEdited(how.form);
  // A proxy's error page, for example.
  if (!payload) return stays ? sayUnsent() : leave(url, kind);
  if ("redirect" in payload) {
    const target = new URL(payload.redirect, url);
    if (target.origin !== location.origin) return location.assign(target);
    const { pathname } = target;
    // The session has expired: the typed text waits until the reader has logged in again. A refresh finds out, too.
    const isStillHere = body || samePage(url, new URL(shown.href));
    if (isStillHere && pathname === "/login" && url.pathname !== "/login") returnAfterLogin(url.href);
    else if (body) dropStored(url.href, body);
    return await show(target, {
      ...how,
      body: undefined,
      sent: body,
      kind: kind === "history" ? "replace" : kind,
    });
  }
  if (stays && payload.problem) return toast({ ...payload.problem, variant: "destructive", isLong: true });
  if (!body && payload.buildId !== start.buildId && reload(url, kind)) return;
  // A refused form is shown again even when what surrounds it has changed, such as the reader's permissions.
  const isRefused = body !== undefined && payload.status >= 400 && !payload.problem;
  // A document of a service that does not respond would make the reader wait for it a second time.
  const isAway = !body && isUnavailable(payload);
  // A form whose page cannot be shown leaves the reader where they were, with the reason.
  const isUnshown = body !== undefined && payload.problem !== undefined;
  if ((payload.layout !== document.body.dataset.layout || isUnshown) && !isRefused && !isAway) {
    // The server sent its toast with this payload, or why it refused the form: the document will come without it.
    const { toast: sent, problem } = payload;
    const told = body && problem ? { ...problem, variant: "destructive" } : sent;
    if (told) inTab.set(KEPT, JSON.stringify(told));
    return leave(url, kind);
  }
  await showPayload(payload, url, { ...how, kind: body && payload.status >= 400 ? "replace" : kind }, signal);
}

function payloadAddress(url: URL): string {
  const path = url.pathname === "/" ? "" : url.pathname;
  return `${path}/_payload.json?${start.buildId}${url.search.replace("?", "&")}`;
}

const isPayload = (sent: unknown): sent is Payload | RedirectPayload =>
  typeof sent === "object" && sent !== null && "buildId" in sent;

const isUnavailable = (sent: Payload | RedirectPayload) => "status" in sent && sent.status === 503;

/**
 * Fetches a page's payload; null when the server sent something else, which the browser then shows. Retries an
 * unreachable page until it answers, and a refresh, which has a page to stay on, until the service does. Does not retry
 * a form, which may have arrived, unless the browser knows that it did not.
 */
async function load(
  url: URL,
  signal: AbortSignal,
  how: Visit,
): Promise<Payload | RedirectPayload | "unreachable" | null> {
  const { body } = how;
  const headers = body && { "idempotency-key": keyForForm(url.href, body) };
  for (let tries = 0; ; tries += 1) {
    const offline = !navigator.onLine;
    const answer = offline
      ? null
      : await fetch(payloadAddress(url), { signal, method: body ? "POST" : "GET", body, headers }).catch(
          () => null,
        );
    if (answer) {
      if (tries > 0) document.getElementById("toasts")?.querySelector(":scope > [role=alert]")?.remove();
      const sent: unknown = await answer.json().catch(() => null);
      if (!isPayload(sent)) return null;
      if (body) noteAnswer("redirect" in sent ? answer.status : sent.status);
      if (!isUnavailable(sent) || !isRefresh(url, how)) return sent;
      hideProgress();
      await waitUntilReachable(signal);
      continue;
    }
    if (signal.aborted) return null;
    if (body && !offline) {
      hideProgress();
      sayUnsent();
      return "unreachable";
    }
    if (tries === 0) sayUnreachable();
    showProgress(false);
    await waitUntilReachable(signal);
  }
}

/** Says that what the reader asked for continues by itself. */
function sayUnreachable(): void {
  const { offline, unavailable, offlineText: description } = start.labels;
  toast({ title: navigator.onLine ? unavailable : offline, description, variant: "destructive" });
}

function sayUnsent(): void {
  const { unavailable: title, unsent: description } = start.labels;
  toast({ title, description, variant: "destructive", isLong: true });
}

/** Loads the document for another build, within the limit of reloadForBuild(). */
function reload(url: URL, kind: Kind): boolean {
  if (kind === "history") markHistoryReturn(url.href);
  return reloadForBuild(url);
}

function leave(url: URL, kind: Kind): void {
  mayLeave.now();
  if (kind === "history") markHistoryReturn(url.href);
  if (kind === "push") location.assign(url);
  else location.replace(url);
}

function setAddress(url: URL, kind: Kind): void {
  if (kind === "push" && url.href !== location.href) {
    history.replaceState({ ...history.state, depth, y: scrollY }, "");
    depth += 1;
    history.pushState({ depth }, "", url);
  } else if (kind !== "history") history.replaceState({ depth }, "", url);
  markArrived();
}

/** Shows a payload: morphs the same page, swaps in another one. */
async function showPayload(payload: Payload, url: URL, how: Visit, signal: AbortSignal): Promise<void> {
  const main = document.querySelector("main");
  if (!main) return leave(url, how.kind);
  const before = new URL(shown.href);
  const isSame = how.kind !== "history" && url.pathname === before.pathname;
  // Without this build's script, which a newer one has replaced, the page is swapped as another page is.
  const morph = isSame ? await import("./morph.ts").catch(() => null) : null;
  if (signal.aborted) return;
  if (morph) {
    morph.morphMain(main, payload.html, {
      submitted: how.form,
      done: !how.body,
      sent: how.body ?? how.sent,
      keepsIslands: how.form !== undefined || samePage(url, before),
      messages: payload.messages,
    });
    setAddress(url, how.kind);
    updateFrame(payload);
    startIslands(main, payload.messages);
    focusAfterRefresh(main, url, before, how);
    if (how.activator || how.form) closeMenus();
  } else {
    // Text typed while the payload loaded must be confirmed now.
    if (how.kind === "push" && !how.form && !(await mayLeave())) return;
    let isShown = false;
    await transition(() => {
      // In one step, so that no address and no typed text is attributed to another page.
      if (signal.aborted) return;
      keepTyped();
      stopIslands(main);
      setAddress(url, how.kind);
      isShown = true;
      main.innerHTML = payload.html;
      showEnds(main);
      restoreTyped(how.kind === "history");
      updateFrame(payload);
      startIslands(main, payload.messages);
      focusAfterVisit(main, url, how.kind);
    });
    if (!isShown) return;
  }
  watchForms();
  if (payload.toast) toast(payload.toast);
  if (isUnavailable(payload)) void import("./retrying.ts").then(({ retryWhileShown }) => retryWhileShown());
}

/** A conversation opens at its end, as in a document (render/inline-scripts.ts), and not at its start until its island runs. */
function showEnds(main: HTMLElement): void {
  for (const log of main.querySelectorAll("[role=log]:has([data-message])")) log.scrollTop = log.scrollHeight;
}

/** Updates what surrounds the main region. */
function updateFrame({ title, current: entry }: Payload): void {
  document.title = title;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-nav]")) {
    if (link.getAttribute("href") === entry) link.ariaCurrent = "page";
    else link.removeAttribute("aria-current");
  }
  showCurrentEntry();
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
/** True when two addresses are different pages of the same list. */
const turnsPage = (url: URL, before: URL) =>
  paging.some((name) => url.searchParams.get(name) !== before.searchParams.get(name));

/**
 * After a refresh the reader stays where they are. Focus moves to the first error, and to the heading when its element
 * is gone.
 */
function focusAfterRefresh(main: HTMLElement, url: URL, before: URL, how: Visit): void {
  const wrong =
    how.form &&
    (main.querySelector<HTMLElement>("[aria-invalid=true]") ??
      main.querySelector<HTMLElement>("form[data-refused] [role=alert]"));
  for (const invalid of main.querySelectorAll("[aria-invalid=true]")) reveal(invalid);
  if (wrong) focus(wrong, false);
  else if ((how.activator || how.sent) && url.hash) focusAfterVisit(main, url, how.kind);
  else if (how.activator && turnsPage(url, before)) focusAfterVisit(main, url, how.kind);
  else if (main.querySelector("section[autofocus]") && how.form) focusAfterVisit(main, url, how.kind);
  else if (document.activeElement === document.body || !document.activeElement)
    focus(main.querySelector<HTMLElement>("h1") ?? main, true);
}

function focus(target: HTMLElement, preventScroll: boolean): void {
  if (!target.matches("a, button, input, select, textarea, [tabindex]")) target.tabIndex = -1;
  target.focus({ preventScroll });
}

/** Sets focus and scroll as a document load would: the first error, the marked field, the anchor, the heading. */
function focusAfterVisit(main: HTMLElement, url: URL, kind: Kind): void {
  const anchor = url.hash ? document.getElementById(decodePercent(url.hash.slice(1))) : null;
  const target =
    main.querySelector<HTMLElement>("[aria-invalid=true], [autofocus]") ??
    anchor ??
    main.querySelector<HTMLElement>("h1") ??
    main;
  // A link to a fold, or into one, is a wish to read it. What is morphed keeps its state otherwise.
  if (anchor) reveal(anchor.firstElementChild ?? anchor);
  focus(target, true);
  if (kind === "history") scrollTo(0, history.state?.y ?? 0);
  else if (anchor) anchor.scrollIntoView();
  else if (target.matches("section[autofocus]")) target.scrollIntoView({ block: "center" });
  else scrollTo(0, 0);
}

history.replaceState({ ...history.state, depth }, "");
noteClicks();
startRenaming();
revealInvalid();
restoreTyped(false);
watchForms();
