// What the rename form in a heading does not do natively: focus its field when it opens, and reset it on Escape and Cancel.
import { visit } from "../page.ts";

/** Closes the form and returns the focus to its button. */
export function closeRenaming(rename: HTMLDetailsElement): void {
  rename.open = false;
  rename.querySelector("summary")?.focus();
}

function cancelRenaming(rename: HTMLDetailsElement): void {
  const form = rename.querySelector("form");
  form?.reset();
  form?.dispatchEvent(new Event("input", { bubbles: true }));
  closeRenaming(rename);
  if (!form || !("refused" in form.dataset)) return;
  // A refused form contains the refused text as the server rendered it, so reset() would not restore the name.
  delete form.dataset.refused;
  visit(location.href);
}

const renameOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLDetailsElement>("details[data-rename][open]") : null;

/** Focuses the field of a form that has opened. A refused form keeps its own focus. */
function focusField(rename: HTMLDetailsElement): void {
  const field = rename.querySelector<HTMLInputElement>("input:not([type=hidden])");
  if (!field || field.ariaInvalid) return;
  field.focus();
  field.select();
}

/** Loaded with the reader's first interaction, which may have opened the form already. */
export function startRenaming(): void {
  const opened = document.querySelector<HTMLDetailsElement>("details[data-rename][open]");
  if (opened) focusField(opened);
  // The toggle event comes a task later: what is typed before it would reach the button, whose Space closes the form.
  addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("summary") : null;
    const rename = button?.closest<HTMLDetailsElement>("details[data-rename]:not([open])");
    if (!rename) return;
    event.preventDefault();
    rename.open = true;
    focusField(rename);
  });
  // Opens the form when restored text is typed into it for a returning reader.
  addEventListener("input", ({ target }) => {
    const rename = target instanceof Element && target.closest<HTMLDetailsElement>("details[data-rename]");
    if (rename) rename.open = true;
  });
  addEventListener("keydown", (event) => {
    const rename = event.key === "Escape" && !event.isComposing ? renameOf(event.target) : null;
    if (rename) cancelRenaming(rename);
  });
  addEventListener(
    "click",
    (event) => {
      const { target } = event;
      const rename =
        target instanceof Element && target.closest("[data-take-back]") ? renameOf(target) : null;
      if (!rename) return;
      event.preventDefault();
      cancelRenaming(rename);
    },
    { capture: true },
  );
}
