// Shows the sidebar's entry of the current page: on a low screen the last entries are below the edge of its list.

export function showCurrentEntry(): void {
  document.querySelector("#sidebar [aria-current=page]")?.scrollIntoView({ block: "nearest" });
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
