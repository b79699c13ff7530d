// Owns closedby="any" in browsers without it: a click on a dialog's backdrop closes the dialog. Loaded only there; acts when it is loaded.
export {};

/** The target of the last pointerdown. A text selection that starts in a dialog and ends outside must not close it. */
let pressed: EventTarget | null = null;

addEventListener("pointerdown", ({ target }) => {
  pressed = target;
});

addEventListener("click", ({ target, clientX, clientY }) => {
  if (!(target instanceof HTMLDialogElement) || target !== pressed) return;
  // A click on the padding has the dialog as its target too.
  const { left, top, right, bottom } = target.getBoundingClientRect();
  const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  if (!isInside && target.getAttribute("closedby") === "any") target.close();
});
