// What a name's form in a heading lacks by itself: its field is focused where it opens, and Escape and Cancel take back what was typed.
import { visit } from "#web/browser/page.ts";

/** Shuts the form and gives the focus to what opened it. */
export function shutRenaming(rename: HTMLDetailsElement): void {
  rename.open = false;
  rename.querySelector("summary")?.focus();
}

function takeBack(rename: HTMLDetailsElement): void {
  const form = rename.querySelector("form");
  form?.reset();
  form?.dispatchEvent(new Event("input", { bubbles: true }));
  shutRenaming(rename);
  if (!form || !("refused" in form.dataset)) return;
  // What came back refused is in the form as the server wrote it.
  delete form.dataset.refused;
  visit(location.href);
}

const renameOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLDetailsElement>("details[data-rename][open]") : null;

/** Puts the focus into the field of a form that has opened. One that came back refused keeps its own. */
function enter(rename: HTMLDetailsElement): void {
  const field = rename.querySelector<HTMLInputElement>("input:not([type=hidden])");
  if (!field || field.ariaInvalid) return;
  field.focus();
  field.select();
}

/** Loaded with the first sign of a reader, who may have opened the form by then. */
export function startRenaming(): void {
  const opened = document.querySelector<HTMLDetailsElement>("details[data-rename][open]");
  if (opened) enter(opened);
  addEventListener(
    "toggle",
    ({ target }) => {
      const rename = renameOf(target);
      if (rename) enter(rename);
    },
    { capture: true },
  );
  // What is typed again for a reader who comes back is shown.
  addEventListener("input", ({ target }) => {
    const rename = target instanceof Element && target.closest<HTMLDetailsElement>("details[data-rename]");
    if (rename) rename.open = true;
  });
  addEventListener("keydown", (event) => {
    const rename = event.key === "Escape" && !event.isComposing ? renameOf(event.target) : null;
    if (rename) takeBack(rename);
  });
  addEventListener(
    "click",
    (event) => {
      const { target } = event;
      const rename =
        target instanceof Element && target.closest("[data-take-back]") ? renameOf(target) : null;
      if (!rename) return;
      event.preventDefault();
      takeBack(rename);
    },
    { capture: true },
  );
}
