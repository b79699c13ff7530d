// The one toast: any code asks for it here; the component (React, Radix) is loaded with the first one.
import { inTab } from "../../browser/storage.ts";
import type { Toast } from "../rendered.ts";

/** Shows a toast. One at a time: a new one takes the place of the last. */
export function toast(message: Toast): void {
  void import("./toaster.tsx").then(({ showToast }) => showToast(message));
}

const KEPT = "parley:toast";

/** Keeps a toast for the document that is loaded next in this tab. */
export function keepToast(message: Toast): void {
  inTab.set(KEPT, JSON.stringify(message));
}

/** Islands do not import the entry's modules; they dispatch `parley:toast` with the toast as detail. */
export function startToasts(): void {
  const kept = inTab.get(KEPT);
  inTab.remove(KEPT);
  if (kept) toast(JSON.parse(kept) as Toast);
  addEventListener("parley:toast", (event) => {
    if (event instanceof CustomEvent) toast(event.detail as Toast);
  });
}
