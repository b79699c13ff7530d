// Opens the command palette by its key and its buttons. Its dialog is loaded when it is opened.
import { hideProgress, showProgress } from "./progress.ts";
import { sayUnavailable } from "./toasts.ts";

async function openPalette(): Promise<void> {
  showProgress();
  try {
    const { togglePalette } = await import("./palette-dialog.tsx");
    togglePalette();
  } catch {
    sayUnavailable();
  } finally {
    hideProgress();
  }
}

export function startPalette(): void {
  addEventListener("keydown", (event) => {
    if (
      !(event.ctrlKey || event.metaKey) ||
      event.altKey ||
      event.shiftKey ||
      event.key.toLowerCase() !== "k"
    )
      return;
    event.preventDefault();
    void openPalette();
  });
  addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-palette]")) void openPalette();
  });
}
