// Events from an island to the page around it, so that islands do not import the navigation client.
import type { Toast } from "../render/rendered.ts";

/** Reports an island's action, with a way to undo it while the toast is shown. */
export interface UndoableToast extends Toast {
  undo?(): void;
}

/** Shows a toast in place of the previous one. */
export function showToast(toast: UndoableToast): void {
  dispatchEvent(new CustomEvent("parley:toast", { detail: toast }));
}

/** Address of the login that leads back to the shown page. */
export const loginHref = (): string =>
  `/login?next=${encodeURIComponent(location.pathname + location.search)}`;

/** Navigates to a page of this app without loading a document; the current address refreshes the page's data. */
export function visit(path: string): void {
  dispatchEvent(new CustomEvent("parley:visit", { detail: path }));
}
