// The one toast. Any code shows it from here; the component (React, Radix) loads with the first one.

import type { Toast } from "../../render/rendered.ts";
import type { UndoableToast } from "../page.ts";
import { inTab } from "../storage.ts";
import { start } from "./start.ts";

/** Shows a toast. One at a time: a new one replaces the last. */
export function toast(message: UndoableToast): void {
  import("./toaster.tsx").then(
    ({ showToast }) => showToast(message),
    () => showPlainly(message),
  );
}

/** Says that a part of the app could not be loaded. */
export const sayUnavailable = (): void => toast({ title: start.labels.unavailable, variant: "destructive" });

/** Shows the message without the component when it cannot be loaded, for example offline. */
function showPlainly({ title, description = "" }: Toast): void {
  const box = Object.assign(document.createElement("div"), {
    className: "toast toast-viewport",
    role: "alert",
  });
  for (const textContent of [title, description])
    box.append(Object.assign(document.createElement("p"), { textContent }));
  document.getElementById("toasts")?.replaceChildren(box);
}

/** Where visit.ts stores a toast for the next document that this tab loads. */
export const KEPT = "parley:toast";

/** Islands do not import the entry's modules. They dispatch `parley:toast` with the toast as detail. */
export function startToasts(): void {
  // Handles F8 until the first toast brings Radix's viewport, which handles the key itself.
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
