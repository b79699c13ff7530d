// Owns unsaved text in a page's forms: confirms before the reader leaves it, stores it in this tab, and restores it
// when they return. Never stores secrets. A form with data-casual is ignored: nothing in it is worth keeping.

import { buttonLook, dialogLook } from "../../ui/looks.ts";
import { clearTab, ownInTab } from "../own-storage.ts";
import { isSecretName } from "../secret-names.ts";
import { inTab } from "../storage.ts";
import { shown } from "./shown.ts";
import { start } from "./start.ts";
import { toast } from "./toasts.ts";

type Values = Record<string, string[]>;
/** Forms by their name or position. */
type Page = Record<string, Values>;
interface Kept {
  /** The user who typed it. Nobody else who logs in here sees it. */
  person: string | null;
  /** The page to return to after a login. */
  next?: string;
  /** The page of a history button that loads the document again. */
  back?: string;
  pages: Record<string, Page>;
}

export const secretFields = "input[type=password], [data-kept]";
const KEY = "parley:texts";
const SIGN = "parley:typed";
const MOST_PAGES = 20;
const SAVE_DELAY_MS = 300;

const untouched = new WeakMap<HTMLFormElement, string>();
let isLeaving = false;
let isLoggingOut = false;

const formsHere = () => [
  ...document.querySelectorAll<HTMLFormElement>("main form[method=post]:not([data-casual], [data-reload])"),
];

const nameOf = (form: HTMLFormElement) =>
  form.querySelector<HTMLInputElement>("input[type=hidden][name=form]")?.value ??
  String(formsHere().indexOf(form));

/** What a form would send, without its secrets and files. */
function valuesOf(form: HTMLFormElement): Values {
  const values: Values = {};
  const secret = new Set([...form.querySelectorAll<HTMLInputElement>(secretFields)].map(({ name }) => name));
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== "string" || secret.has(name) || isSecretName(name)) continue;
    values[name] = [...(values[name] ?? []), value.replaceAll("\r\n", "\n")];
  }
  return values;
}

/** What the reader typed, without the version: a refresh gives an untouched form another version. */
function currentValues(form: HTMLFormElement): string {
  const { version: _, ...typed } = valuesOf(form);
  return JSON.stringify(typed);
}

/** What the form would send as the server rendered it, before anything was typed. */
function initialValues(form: HTMLFormElement): string {
  const copy = form.cloneNode(true) as HTMLFormElement; // cloneNode returns the same element type
  copy.reset();
  return currentValues(copy);
}

/** True when the reader has typed into a form, or its text was refused. */
export const isEdited = (form: HTMLFormElement) =>
  "refused" in form.dataset || (untouched.has(form) && untouched.get(form) !== currentValues(form));

const editedForms = () => formsHere().filter(isEdited);

function read(): Kept {
  // Builds before this one stored the texts where the sign is: a tab that loads a newer build keeps its own.
  const [kept, earlier] = [ownInTab.get(KEY), inTab.get(SIGN)].map(
    (stored) => JSON.parse(stored ?? "null") as Kept | 1 | null,
  );
  if (kept && kept !== 1) return kept;
  if (earlier && earlier !== 1 && earlier.person === start.person) return earlier;
  return { person: start.person, pages: {} };
}

function write(kept: Kept): void {
  const isEmpty = Object.keys(kept.pages).length === 0;
  if (isEmpty) ownInTab.remove(KEY);
  else ownInTab.set(KEY, JSON.stringify(kept));
  // The entry, which must stay small, restores typed text at once if there may be some.
  if (isEmpty) inTab.remove(SIGN);
  else inTab.set(SIGN, "1");
}

const versionOf = (form: HTMLFormElement | undefined) =>
  form?.querySelector<HTMLInputElement>("input[type=hidden][name=version]");

/**
 * An edited form keeps the version that it was opened with after a refresh, so saving it detects a conflict. An
 * unedited form takes the new version.
 * @param submitted the posted form; when it was accepted, forms with the version that it replaced take the new one
 * @returns a function that puts the versions back into the forms
 */
export function keepVersions(submitted: HTMLFormElement | undefined, done: boolean): () => void {
  const changed = done ? versionOf(submitted)?.value : undefined;
  const forms = new Set(editedForms());
  const kept = new Map(
    [...forms].flatMap((form) => {
      const version = versionOf(form)?.value;
      return form === submitted || !version || version === changed ? [] : [[nameOf(form), version] as const];
    }),
  );
  return () => {
    for (const form of formsHere()) {
      if (!forms.has(form) || form === submitted) untouched.delete(form);
      const [field, version] = [versionOf(form), kept.get(nameOf(form))];
      if (field && version) field.value = version;
    }
  };
}

const pageOf = (href: string) => href.replace(/#.*$/, "");

/** Stores what is typed on the shown page. */
export function keepTyped(): void {
  if (isLoggingOut) return;
  const kept = read();
  const forms = editedForms();
  const page = pageOf(shown.href);
  if (forms.length === 0 && !(page in kept.pages)) return;
  // The reader has not returned to this page yet, so its stored text stays.
  if (forms.length === 0 && (kept.next === page || kept.back === page)) return;
  const { [page]: _, ...others } = kept.pages;
  const pages = Object.entries(others).slice(1 - MOST_PAGES);
  if (forms.length > 0)
    pages.push([page, Object.fromEntries(forms.map((form) => [nameOf(form), valuesOf(form)]))]);
  write({ ...kept, person: start.person, pages: Object.fromEntries(pages) });
}

/** True when a form still contains what was sent. */
const isAsSent = (form: HTMLFormElement, body: FormData) =>
  Object.entries(valuesOf(form)).every(
    ([name, values]) =>
      name === "version" ||
      values.join("\0") ===
        body
          .getAll(name)
          .map((value) => String(value).replaceAll("\r\n", "\n"))
          .join("\0"),
  );

/** Drops the stored text of an accepted form, except what was typed since it was sent. */
export function dropStored(href: string, body: FormData): void {
  const kept = read();
  const page = kept.pages[pageOf(href)];
  const name = String(body.get("form") ?? "0");
  if (page) {
    delete page[name];
    if (Object.keys(page).length === 0) delete kept.pages[pageOf(href)];
    write(kept);
  }
  for (const form of formsHere()) if (nameOf(form) === name && isAsSent(form, body)) untouched.delete(form);
}

/** The session has expired; the reader returns to the page after the login. */
export function returnAfterLogin(href: string): void {
  write({ ...read(), next: pageOf(href) });
  isLeaving = true;
}

/** A history button leads to a page that the browser will load as a new visit. */
export function markHistoryReturn(href: string): void {
  const kept = read();
  if (pageOf(href) in kept.pages) write({ ...kept, back: pageOf(href) });
}

const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
let isFirst = true;

/** Restores stored text into the shown page when the reader returns to it; discards it otherwise. */
export function restoreTyped(isBack: boolean): void {
  const kept = read();
  const href = pageOf(shown.href);
  const reloaded = isFirst && /reload|back_forward/.test(entry?.type ?? "");
  const resumed = kept.next === href;
  const returned = kept.back === href;
  isFirst = false;
  if (kept.back) write({ ...kept, back: undefined });
  const page = kept.pages[href];
  if (!page) return;
  const isTheirs = kept.person === start.person;
  if (isTheirs && (isBack || reloaded || resumed || returned)) {
    for (const form of formsHere()) {
      const values = page[nameOf(form)];
      if (values) typeInto(form, values);
    }
    if (resumed) {
      write({ ...kept, next: undefined, back: undefined });
      toast({ title: start.labels.resumed, description: start.labels.resumedText });
    }
  } else if (!kept.next || !isTheirs) {
    delete kept.pages[href];
    write({ ...kept, back: undefined });
  }
}

function typeInto(form: HTMLFormElement, values: Values): void {
  const [field, version] = [versionOf(form), values.version?.[0]];
  if (field && version) field.value = version;
  const left = structuredClone(values);
  for (const control of form.elements) {
    if (
      !(
        control instanceof HTMLInputElement ||
        control instanceof HTMLTextAreaElement ||
        control instanceof HTMLSelectElement
      )
    )
      continue;
    const isChoice = control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type);
    if (
      !control.name ||
      control.type === "hidden" ||
      control.type === "file" ||
      control.matches(secretFields)
    )
      continue;
    if (isChoice) control.checked = values[control.name]?.includes(control.value) ?? false;
    else {
      const value = left[control.name]?.shift();
      if (value !== undefined) setValue(control, value);
    }
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** A select without the option keeps its own, and notes the value: it may be the first of more options (SearchSelect). */
function setValue(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string): void {
  const { value: before } = control;
  control.value = value;
  if (control.value === value || !(control instanceof HTMLSelectElement)) return;
  control.value = before;
  control.dataset.wanted = value;
}

/** An island keeps its unsaved text itself while its page is shown, whatever the query of the address. */
const hasUnsaved = (isOtherPage: boolean) =>
  editedForms().length > 0 || (isOtherPage && document.querySelector("[data-unsaved]") !== null);

/** Asks before unsaved text is left behind. Resolves at once when there is none. */
export async function mayLeave(isOtherPage = true): Promise<boolean> {
  if (mayLeave.unasked(isOtherPage)) return true;
  // A history button while the dialog is open does nothing.
  if (document.getElementById("leave-title")) return false;
  const { leave, leaveText, stay, go } = start.labels;
  const dialog = document.createElement("dialog");
  dialog.className = dialogLook;
  dialog.setAttribute("aria-labelledby", "leave-title");
  dialog.innerHTML = `<form method="dialog"><h2 id="leave-title" class="font-semibold text-lg"></h2><p class="mt-2 text-muted"></p><div class="mt-5 flex justify-end gap-2"><button value="go" class="${buttonLook({})}"></button><button value="" autofocus class="${buttonLook({ variant: "primary" })}"></button></div></form>`;
  const words = [leave, leaveText, go, stay];
  for (const [at, element] of dialog.querySelectorAll("h2, p, button").entries())
    element.textContent = words[at] ?? "";
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  isLeaving = dialog.returnValue === "go";
  return isLeaving;
}
mayLeave.unasked = (isOtherPage = true) => isLeaving || !hasUnsaved(isOtherPage);
/** The reader was asked, or need not be: the document may unload. */
mayLeave.now = () => {
  isLeaving = true;
};

let timer: ReturnType<typeof setTimeout> | undefined;
let isWatching = false;

/** Records the shown forms before anything is typed into them, and stores what is typed. */
export function watchForms(): void {
  isLeaving = false;
  for (const form of formsHere()) if (!untouched.has(form)) untouched.set(form, initialValues(form));
  if (isWatching) return;
  isWatching = true;
  addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(keepTyped, SAVE_DELAY_MS);
  });
  addEventListener("pagehide", keepTyped);
  // Text typed or pasted before this module was loaded.
  if (editedForms().length > 0) keepTyped();
  addEventListener("beforeunload", (event) => {
    if (!mayLeave.unasked()) event.preventDefault();
  });
  // Logging out leaves nothing behind for the next person at this browser.
  addEventListener("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || !target.action.endsWith("/logout")) return;
    isLoggingOut = true;
    isLeaving = true;
    clearTab();
  });
}
