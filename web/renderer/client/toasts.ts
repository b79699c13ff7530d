// The one toast: any code asks for it here; the component (React, Radix) is loaded with the first one.

import type { UndoableToast } from "../../browser/page.ts";
import { inTab } from "../../browser/storage.ts";
import type { Toast } from "../rendered.ts";

/** Shows a toast. One at a time: a new one takes the place of the last. */
export function toast(message: UndoableToast): void {
  import("./toaster.tsx").then(
    ({ showToast }) => showToast(message),
    () => showPlainly(message),
  );
}

/** What cannot be loaded, as without a connection, must not keep the reader from being told so. */
function showPlainly({ title, description = "" }: Toast): void {
  const box = Object.assign(document.createElement("div"), {
    className: "toast toast-viewport",
    role: "alert",
  });
  for (const textContent of [title, description])
    box.append(Object.assign(document.createElement("p"), { textContent }));
  document.getElementById("toasts")?.replaceChildren(box);
}

const KEPT = "parley:toast";

/** Keeps a toast for the document that is loaded next in this tab. */
export function keepToast(message: Toast): void {
  inTab.set(KEPT, JSON.stringify(message));
}

/** Islands do not import the entry's modules; they dispatch `parley:toast` with the toast as detail. */
export function startToasts(): void {
  // Until the first toast brings its own viewport, which answers to the key then.
  addEventListener("keydown", ({ key }) => {
    if (key === "F8") document.querySelector<HTMLElement>("#toasts[tabindex]")?.focus();
  });
  const kept = inTab.get(KEPT);
  inTab.remove(KEPT);
  if (kept) toast(JSON.parse(kept) as Toast);
  addEventListener("parley:toast", (event) => {
    if (event instanceof CustomEvent) toast(event.detail as UndoableToast);
  });
}
