// Finds the islands in a part of the page and hydrates each when it is due. Loads React only when there is an island.
import type { Words } from "#locales/translate.ts";
import { isNewerBuild, reloadForBuild } from "./builds.ts";
import { waitUntilReachable } from "./reachable.ts";
import { sayUnavailable } from "./toasts.ts";

type Runtime = typeof import("./hydrate.tsx");
/** Set once an island is hydrated. */
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
  // The wrapper is display: contents, so it has no box to observe.
  for (const child of element.children) observer.observe(child);
}

async function wake(element: HTMLElement, messages: Record<string, Words>, isRetry = false): Promise<void> {
  try {
    await (await runtime()).hydrate(element, messages);
  } catch (error) {
    const isNewer = await isNewerBuild();
    // The server no longer has this build's chunk. The newer build's page brings its own.
    if (isNewer) return void reloadForBuild(new URL(location.href));
    // An island that fails although the server answers is broken.
    if (isNewer === false && isRetry) throw error;
    if (!isRetry) sayUnavailable();
    await waitUntilReachable();
    if (element.isConnected) await wake(element, messages, true);
  }
}

/** Hydrates the islands under `root`. `messages` are the translations that they read, by namespace. */
export function startIslands(root: ParentNode, messages: Record<string, Words>): void {
  for (const element of root.querySelectorAll<HTMLElement>("[data-island]:not([data-hydrated])")) {
    const run = () => void wake(element, messages);
    if (element.dataset.load === "idle") whenIdle(run);
    else if (element.dataset.load === "visible") whenVisible(element, run);
    else run();
  }
}

/** Gives the hydrated islands under `main` their props from the next page. */
export function reviveIslands(main: ParentNode, next: ParentNode, messages: Record<string, Words>): void {
  loaded?.update(main, next, messages);
}

/** Unmounts islands under `root` before its content is replaced. @param which selector of the islands to unmount */
export function stopIslands(root: ParentNode, which = "[data-hydrated]"): void {
  loaded?.unmount(root, which);
}
