// Updates the shown page in place. Unchanged elements stay, with their focus, scroll position, open state and typed
// text. A hydrated island keeps its React root and gets new props.
import { Idiomorph } from "idiomorph";
import type { Words } from "#locales/translate.ts";
import { reviveIslands, stopIslands } from "./islands.ts";
import { closeRenaming } from "./renaming.ts";
import { keepVersions, secretFields } from "./typed.ts";

interface Morph {
  /** The posted form. It shows the server's values, and its islands restart. */
  submitted?: HTMLFormElement;
  /** True when the form's action succeeded: its typed text is dropped. */
  done: boolean;
  /** What the form sent. Text typed after that is kept. */
  sent?: FormData;
  keepsIslands: boolean;
  /** The translations that the new page's islands read. */
  messages: Record<string, Words>;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const CONTROLS = "input:not([type=hidden]), textarea, select";
/** Secrets that a refused form keeps. A current password may be what was wrong, so it must be entered again. */
const enteredOnce = `:is(${secretFields}):not([autocomplete="current-password"])`;

/** Replaces the inner HTML of the main region, and keeps the elements that still exist. */
export function morphMain(main: HTMLElement, html: string, how: Morph): void {
  const { submitted, done, keepsIslands } = how;
  const template = document.createElement("template");
  template.innerHTML = html;
  const next = template.content;
  const dialog = submitted?.closest("dialog");
  if (dialog && done) dialog.close();
  const rename = submitted?.closest<HTMLDetailsElement>("details[data-rename]");
  if (rename && done) closeRenaming(rename);
  const keepOpened = keepVersions(submitted, done);
  const typeAgain = keepControls(main, how);
  if (!keepsIslands) stopIslands(main, "[data-hydrated]:not([data-stays])");
  else if (submitted) stopIslands(submitted);
  reviveIslands(main, next, how.messages);
  Idiomorph.morph(main, [...next.childNodes], {
    morphStyle: "innerHTML",
    callbacks: {
      beforeNodeMorphed: (old) => !(old instanceof HTMLElement && "hydrated" in old.dataset),
      beforeAttributeUpdated: (name, node) => !(name === "open" && node.matches("details, dialog")),
    },
  });
  typeAgain();
  keepOpened();
}

function keyOf(control: Control): string {
  const of = control.form?.querySelector<HTMLInputElement>("input[type=hidden][name=form]")?.value ?? "";
  const choice =
    control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type) ? control.value : "";
  return `${of} ${control.id || control.name} ${choice}`;
}

/**
 * Saves the text typed outside the posted form or into it since it was sent, and the secrets of a form that is shown
 * again.
 * @returns a function that restores it in the updated page
 */
function keepControls(main: HTMLElement, { submitted, done, sent }: Morph): () => void {
  const kept = [...main.querySelectorAll<Control>(CONTROLS)].flatMap((control) => {
    if (control.closest("[data-hydrated]") || control.type === "file") return [];
    const isPosted = submitted?.contains(control) ?? false;
    const isSince = isPosted && isTypedSince(control, sent);
    if (isPosted && !isSince && (done || !control.matches(enteredOnce))) return [];
    if (!isSince && !isChanged(control)) return [];
    const { value } = control;
    const checked = control instanceof HTMLInputElement && control.checked;
    const isActive = control === document.activeElement && !(control instanceof HTMLSelectElement);
    const selection = isActive ? ([control.selectionStart, control.selectionEnd] as const) : null;
    return [{ control, key: keyOf(control), value, checked, selection }];
  });
  return () => {
    if (kept.length === 0) return;
    const now = new Map([...main.querySelectorAll<Control>(CONTROLS)].map((one) => [keyOf(one), one]));
    for (const { control, key, value, checked, selection } of kept) {
      const into = control.isConnected ? control : now.get(key);
      if (!into) continue;
      if (into instanceof HTMLInputElement) into.checked = checked;
      if (into.value !== value) into.value = value;
      if (selection && into === control && selection[0] !== null && !(into instanceof HTMLSelectElement))
        into.setSelectionRange(...selection);
    }
  };
}

/** True when a posted form's control no longer has the value that was sent. */
function isTypedSince(control: Control, sent: FormData | undefined): boolean {
  if (!sent || !control.name || control.disabled || control.matches(secretFields)) return false;
  const values = sent.getAll(control.name).map((value) => String(value).replaceAll("\r\n", "\n"));
  const isChoice = control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type);
  return values.includes(control.value) !== (isChoice ? control.checked : true);
}

function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
  if (control instanceof HTMLInputElement && control.checked !== control.defaultChecked) return true;
  return control.value !== control.defaultValue;
}
