// Files that are dropped on a page, wherever: caught, so that the browser does not leave the page for them, and offered a place.
import { start } from "./start.ts";
import { toast } from "./toasts.ts";

export function startDrops(): void {
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files") || event.defaultPrevented) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  });
  addEventListener("drop", (event) => {
    // Where there is a place for files, it has them already.
    if (!event.dataTransfer?.types.includes("Files") || event.defaultPrevented) return;
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    import("./drop-dialog.tsx")
      .then(({ offerPlace }) => offerPlace(files))
      .catch(() => toast({ title: start.labels.unavailable, variant: "destructive" }));
  });
}
