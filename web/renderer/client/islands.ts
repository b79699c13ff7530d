// Finds the islands of a piece of page and hydrates each when its time comes. Loads React only when there is one.
import type { Words } from "#locales/translate.ts";
import { isNewerBuild, reloadForBuild } from "./builds.ts";

type Runtime = typeof import("./hydrate.tsx");
/** There as soon as an island lives. */
let loaded: Runtime | undefined;

async function runtime(): Promise<Runtime> {
  loaded ??= await import("./hydrate.tsx");
  return loaded;
}

const whenIdle = (run: () => void) =>
  "requestIdleCallback" in window ? requestIdleCallback(run, { timeout: 2000 }) : setTimeout(run, 200);

function whenVisible(element: Element, run: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      run();
    },
    { rootMargin: "200px" },
  );
  // The wrapper is display: contents and has no box of its own.
  for (const child of element.children) observer.observe(child);
}

async function wake(element: HTMLElement, messages: Record<string, Words>): Promise<void> {
  try {
    await (await runtime()).hydrate(element, messages);
  } catch (error) {
    // A file of this build that the server no longer has: the newer build's page brings its own.
    if (await isNewerBuild()) reloadForBuild(new URL(location.href));
    else throw error;
  }
}

/** Hydrates the islands under `root`; `messages` are the translations that they read, by namespace. */
export function startIslands(root: ParentNode, messages: Record<string, Words>): void {
  for (const element of root.querySelectorAll<HTMLElement>("[data-island]:not([data-hydrated])")) {
    const run = () => void wake(element, messages);
    if (element.dataset.load === "idle") whenIdle(run);
    else if (element.dataset.load === "visible") whenVisible(element, run);
    else run();
  }
}

/** Gives the living islands under `main` the props that they have in the page that it becomes. */
export function reviveIslands(main: ParentNode, next: ParentNode, messages: Record<string, Words>): void {
  loaded?.update(main, next, messages);
}

/** Unmounts the islands under `root`, before its content is replaced. @param which those that match */
export function stopIslands(root: ParentNode, which = "[data-hydrated]"): void {
  loaded?.unmount(root, which);
}
