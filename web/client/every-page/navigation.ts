// Listens for links, forms and the history buttons, and passes each to visit.ts, which loads with the reader's first
// interaction. When loading fails, the browser navigates itself.

import { NO_FILTER } from "../../render/no-filter.ts";
import { inTab } from "../storage.ts";
import "./shown.ts";

/** Events that precede an action of the reader. Not focus: a field that gets focus when the page opens would trigger it. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "input", "dragover"];

const visits = () => import("./visit.ts");

/** Starts to handle links, forms and the history buttons. Restores text that was typed here before, when there is any. */
export async function startNavigation(): Promise<void> {
  history.scrollRestoration = "manual";
  addEventListener("click", onClick);
  addEventListener("submit", onSubmit);
  addEventListener("popstate", () => void visits().then(({ visitHistory }) => visitHistory()));
  addEventListener("pagehide", () => history.replaceState({ ...history.state, y: scrollY }, ""));
  addEventListener("parley:visit", (event) => {
    if (event instanceof CustomEvent) go(new URL(String(event.detail), location.href));
  });
  if (history.state?.y) scrollTo(0, history.state.y);
  if (inTab.get("parley:typed")) await visits().catch(() => undefined);
  else for (const type of SIGNS) addEventListener(type, wake, { once: true, passive: true });
}

function wake(): void {
  visits().catch(() => undefined);
}

function go(url: URL, activator?: Element | null): void {
  visits().then(
    ({ visit }) => visit(url, { kind: "push", activator }),
    () => location.assign(url),
  );
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
  go(url, link);
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
      [...data].flatMap(([key, value]) =>
        value && value !== NO_FILTER && typeof value === "string" ? [[key, value]] : [],
      ),
    ).toString();
    go(url, document.activeElement);
    return;
  }
  // One submission at a time: a second click would send the form twice.
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  visits()
    .then(
      ({ visit }) => visit(url, { kind: "push", body: data, form }),
      () => {
        // The browser sends it, with the button that was pressed. Never after visit(), which may have sent it already.
        form.dataset.reload = "";
        form.requestSubmit(event.submitter);
      },
    )
    .finally(() => form.removeAttribute("aria-busy"));
}
