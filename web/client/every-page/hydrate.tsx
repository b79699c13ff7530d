// The part of the islands client that needs React: the translations, and a React root per island.
import { hydrateRoot, type Root } from "react-dom/client";
import type { Words } from "#locales/translate.ts";
import { type IslandComponent, IslandRoot, type Json, type Seed } from "../../render/island-root.tsx";
import { buttonLook } from "../../ui/looks.ts";
import { start } from "./start.ts";
import { addWords } from "./translations.ts";

const modules = import.meta.glob<Record<string, IslandComponent>>("../../islands/*.tsx");
const roots = new Map<Element, { root: Root; component: IslandComponent }>();

/** Hydrates one island element. Throws when no file in web/islands/ has its name. */
export async function hydrate(element: HTMLElement, messages: Record<string, Words>): Promise<void> {
  const { island: name = "" } = element.dataset;
  const load = modules[`../../islands/${name}.tsx`];
  if (!load) throw new Error(`No island is named ${name}`);
  const component = (await load())[name];
  if (!component) throw new Error(`web/islands/${name}.tsx must export ${name}`);
  if (!element.isConnected || roots.has(element)) return;
  addWords(messages);
  const { id } = element.dataset;
  const first = { onMount: keepTexts(element), onReady: () => repeatClick(element) };
  const root = hydrateRoot(element, treeOf(component, element, first), {
    identifierPrefix: id,
    onUncaughtError: (error) => fail(element, error),
    // When the reader leaves before hydration ends, React reports an error that is not the island's.
    onRecoverableError: (error) => {
      if (roots.has(element)) reportError(error);
    },
  });
  roots.set(element, { root, component });
  element.dataset.hydrated = "";
}

/**
 * React gives a text area the text that the server sent when it hydrates it.
 * @returns a function that puts back what was typed or restored before
 */
function keepTexts(element: HTMLElement): () => void {
  const typed = [...element.querySelectorAll("textarea")].flatMap((area) =>
    area.value === area.defaultValue ? [] : [{ area, text: area.value }],
  );
  return () => {
    for (const { area, text } of typed) area.value = text;
  };
}

/** Repeats the click that noteClicks() has noted inside an island. */
function repeatClick(element: HTMLElement): void {
  const button = element.querySelector<HTMLElement>("[data-clicked]");
  button?.removeAttribute("data-clicked");
  button?.click();
}

/** @param first what an island does when it is hydrated */
function treeOf(
  component: IslandComponent,
  { dataset: { props = "{}", seed = "[]" } }: HTMLElement,
  first: { onMount?: () => void; onReady?: () => void } = {},
) {
  return (
    <IslandRoot
      component={component}
      props={JSON.parse(props) as Record<string, Json>}
      seed={JSON.parse(seed) as Seed[]}
      {...first}
    />
  );
}

/**
 * Renders the hydrated islands under `main` with the props and seeds they have in `next`, and unmounts those missing
 * from `next`.
 */
export function update(main: ParentNode, next: ParentNode, messages: Record<string, Words>): void {
  addWords(messages);
  for (const element of main.querySelectorAll<HTMLElement>("[data-hydrated]")) {
    const fresh = next.querySelector<HTMLElement>(`#${CSS.escape(element.id)}`);
    const living = roots.get(element);
    if (!fresh || !living) end(element);
    else {
      const { props, seed } = fresh.dataset;
      if (props === element.dataset.props && seed === element.dataset.seed) continue;
      element.dataset.props = props;
      if (seed) element.dataset.seed = seed;
      else delete element.dataset.seed;
      living.root.render(treeOf(living.component, element));
    }
  }
}

/** Unmounts the hydrated islands under `root` that match `which`. */
export function unmount(root: ParentNode, which: string): void {
  for (const element of root.querySelectorAll<HTMLElement>(which)) end(element);
}

/** Replaces an island that threw: React has emptied its element. The rest of the page keeps working. */
function fail(element: HTMLElement, error: unknown): void {
  console.error(error);
  const { broken: title, brokenText: description, reload } = start.labels;
  const box = Object.assign(document.createElement("div"), { role: "alert", className: "p-6 text-center" });
  const [heading, text] = [title, description].map((textContent) =>
    Object.assign(document.createElement("p"), { textContent }),
  );
  heading?.classList.add("font-medium", "text-bad");
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    textContent: reload,
    className: `${buttonLook({})} mt-3`,
    onclick: () => location.reload(),
  });
  box.append(heading ?? "", text ?? "", button);
  queueMicrotask(() => element.replaceChildren(box));
  dispatchEvent(new CustomEvent("parley:toast", { detail: { title, description, variant: "destructive" } }));
}

function end(element: HTMLElement): void {
  const living = roots.get(element);
  roots.delete(element);
  living?.root.unmount();
  delete element.dataset.hydrated;
}
