// Loads a page that could not be shown once the service responds again. It asks in the background, so that the focus
// stays where it is until then.
const EVERY_MS = 10_000;

setTimeout(retry, EVERY_MS);

async function retry(): Promise<void> {
  const answer = await fetch(location.href).catch(() => null);
  if (answer && answer.status !== 503) location.reload();
  else setTimeout(retry, EVERY_MS);
}

// A module, so that it can be imported alone.
export {};
