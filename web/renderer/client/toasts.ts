// The one toast: any code asks for it here; the component (React, Radix) is loaded with the first one.
import type { Toast } from "../rendered.ts";

/** Shows a toast. One at a time: a new one takes the place of the last. */
export function toast(message: Toast): void {
  void import("./toaster.tsx").then(({ showToast }) => showToast(message));
}

/** Islands do not import the entry's modules; they dispatch `parley:toast` with the toast as detail. */
export function startToasts(): void {
  addEventListener("parley:toast", (event) => {
    if (event instanceof CustomEvent) toast(event.detail as Toast);
  });
}
