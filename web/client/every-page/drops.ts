// Catches files dropped anywhere on a page, so that the browser does not navigate to them, and offers destinations for them and for
// files that a button chooses.
import { sayUnavailable } from "./toasts.ts";

export function startDrops(): void {
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files") || event.defaultPrevented) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  });
  addEventListener("drop", (event) => {
    // A drop zone on the page has already handled them.
    if (!event.dataTransfer?.types.includes("Files") || event.defaultPrevented) return;
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    withDialog(({ offerPlace }) => offerPlace(files));
  });
  addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-choose-files]"))
      withDialog(({ chooseFiles }) => chooseFiles());
  });
}

function withDialog(act: (dialog: typeof import("./drop-dialog.tsx")) => unknown): void {
  import("./drop-loading.ts")
    .then(({ loadDialog }) => loadDialog())
    .then(act)
    .catch(sayUnavailable);
}
