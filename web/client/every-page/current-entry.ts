// Shows the sidebar's entry of the current page: on a low screen the last entries are below the edge of its list.

/** In px: what stays between the entry and the edge of its list. */
const MARGIN = 32;

/** Scrolls the sidebar's list alone. scrollIntoView() would scroll the page too. */
export function showCurrentEntry(): void {
  const entry = document.querySelector("#sidebar [aria-current=page]");
  const list = entry?.closest("[data-scroll-area]");
  if (!entry || !list) return;
  const [at, seen] = [entry.getBoundingClientRect(), list.getBoundingClientRect()];
  const below = at.bottom + MARGIN - seen.bottom;
  const above = seen.top + MARGIN - at.top;
  if (below > 0) list.scrollTop += below;
  else if (above > 0) list.scrollTop -= above;
}

/** Shows it now, and when the sidebar of a narrow screen opens, whose event does not bubble. */
export function startCurrentEntry(): void {
  showCurrentEntry();
  addEventListener(
    "toggle",
    ({ target }) => target instanceof Element && target.id === "sidebar" && showCurrentEntry(),
    true,
  );
}
