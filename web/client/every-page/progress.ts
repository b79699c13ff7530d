// The thin progress bar at the top while a page loads. It waits 100 ms, so a fast page shows none. A very slow page is
// announced in words.
import { start } from "./start.ts";
import { toast } from "./toasts.ts";

const WAIT_MS = 100;
const SLOW_MS = 8_000;
let bar: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** @param isSlowTold false while the page waits for a connection: the reader was told about that */
export function showProgress(isSlowTold = true): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    bar ??= document.body.appendChild(
      Object.assign(document.createElement("div"), { className: "page-progress" }),
    );
    bar.ariaHidden = "true";
    bar.dataset.on = "";
    if (!isSlowTold) return;
    timer = setTimeout(
      () => toast({ title: start.labels.slow, description: start.labels.slowText }),
      SLOW_MS,
    );
  }, WAIT_MS);
}

export function hideProgress(): void {
  clearTimeout(timer);
  delete bar?.dataset.on;
}
