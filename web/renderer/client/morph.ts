// Brings the shown page up to date in place: what did not change stays the element that it was, with its focus, scroll, open state and what
// was typed into it. A living island keeps its React root and gets its new props.
import { Idiomorph } from "idiomorph";
import type { Words } from "#locales/translate.ts";
import { reviveIslands, stopIslands } from "./islands.ts";
import { shutRenaming } from "./renaming.ts";
import { keepEdited, secretFields } from "./typed.ts";

interface Morph {
  /** The form that was posted: it shows what the server says, and its islands begin again. */
  submitted?: HTMLFormElement;
  /** Whether the form's action led on: nothing that was typed into it is kept. */
  done: boolean;
  /** What the form sent. What was typed into it since stays. */
  sent?: FormData;
  keepsIslands: boolean;
  /** The words that the islands of the new page read. */
  messages: Record<string, Words>;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const CONTROLS = "input:not([type=hidden]), textarea, select";
/** Secrets that a refused form keeps. A current password may be what was wrong: it is entered again. */
const enteredOnce = `:is(${secretFields}):not([autocomplete="current-password"])`;

/** Replaces the inner HTML of the main region, and keeps all that is still in it. */
export function morphMain(main: HTMLElement, html: string, how: Morph): void {
  const { submitted, done, keepsIslands } = how;
  const template = document.createElement("template");
  template.innerHTML = html;
  const next = template.content;
  const dialog = submitted?.closest("dialog");
  if (dialog && done) dialog.close();
  const rename = submitted?.closest<HTMLDetailsElement>("details[data-rename]");
  if (rename && done) shutRenaming(rename);
  const keepOpened = keepEdited(submitted, done);
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
 * What is typed outside of the posted form, or into it since it was sent, and the secrets of one that is shown again.
 * @returns types it again into what the page has become
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

/** Whether a posted form's control no longer holds what was sent of it. */
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
