// Loads a page that could not be shown once the service responds again. It asks in the background, so that the focus
// stays where it is until then.
const EVERY_MS = 10_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks again until the page is there, or the reader has left it. */
export function retryWhileShown(): void {
  clearTimeout(timer);
  timer = setTimeout(retry, EVERY_MS);
}

const isShown = () => document.querySelector("[data-retries]") !== null;

async function retry(): Promise<void> {
  if (!isShown()) return;
  const { href } = location;
  const answer = await fetch(href).catch(() => null);
  if (!isShown() || location.href !== href) return;
  if (answer && answer.status !== 503) location.reload();
  else retryWhileShown();
}

retryWhileShown();
