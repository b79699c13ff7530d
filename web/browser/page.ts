// What an island may ask of the page around it. Events, so that islands do not pull in the navigation client.
import type { Toast } from "../renderer/rendered.ts";

/** What an island has done, with the way back from it for as long as the toast stays. */
export interface UndoableToast extends Toast {
  undo?(): void;
}

/** Shows a toast in place of the one before. */
export function showToast(toast: UndoableToast): void {
  dispatchEvent(new CustomEvent("parley:toast", { detail: toast }));
}

/** Goes to a page of this app without loading the document again; the current address refreshes the page's data. */
export function visit(path: string): void {
  dispatchEvent(new CustomEvent("parley:visit", { detail: path }));
}
