// Opens the closed folds around a field that is refused, by the server or by the browser's own check. The browser does
// not send a form with an invalid field in a closed fold, and could not say why.

/** Opens every closed fold around an element. */
export function reveal(element: Element): void {
  const fold = element.parentElement?.closest("details");
  if (!fold) return;
  fold.open = true;
  reveal(fold);
}

/** The event does not bubble, and comes before the browser looks for a field to focus. */
export function revealInvalid(): void {
  addEventListener("invalid", ({ target }) => target instanceof Element && reveal(target), true);
}
