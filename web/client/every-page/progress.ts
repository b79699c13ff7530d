// The thin progress bar at the top while a page loads. It waits 100 ms, so a fast page shows none. A very slow page is
// announced in words.
import { start } from "./start.ts";
import { toast } from "./toasts.ts";

const WAIT_MS = 100;
const SLOW_MS = 8_000;
let bar: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

function showBar(): void {
  bar ??= document.body.appendChild(
    Object.assign(document.createElement("div"), { className: "page-progress" }),
  );
  bar.ariaHidden = "true";
  bar.dataset.on = "";
}

export function showProgress(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    showBar();
    timer = setTimeout(
      () => toast({ title: start.labels.slow, description: start.labels.slowText }),
      SLOW_MS,
    );
  }, WAIT_MS);
}

/** The page waits for a connection, as the reader was told: it is not announced as slow. */
export function holdProgress(): void {
  clearTimeout(timer);
  showBar();
}

export function hideProgress(): void {
  clearTimeout(timer);
  delete bar?.dataset.on;
}
