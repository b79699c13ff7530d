// The part of the islands client that needs React: the words, and a root per island.
import { hydrateRoot, type Root } from "react-dom/client";
import type { Words } from "#locales/translate.ts";
import { buttonLook } from "../../components/looks.ts";
import { type IslandComponent, IslandRoot, type Json, type Seed } from "../island-root.tsx";
import { start } from "./start.ts";
import { addWords } from "./translations.ts";

const modules = import.meta.glob<Record<string, IslandComponent>>("../../islands/*.tsx");
const roots = new Map<Element, { root: Root; component: IslandComponent }>();

/** Hydrates one island element. Throws for a name that no file in web/islands/ has. */
export async function hydrate(element: HTMLElement, messages: Record<string, Words>): Promise<void> {
  const { island: name = "" } = element.dataset;
  const load = modules[`../../islands/${name}.tsx`];
  if (!load) throw new Error(`No island is named ${name}`);
  const component = (await load())[name];
  if (!component) throw new Error(`web/islands/${name}.tsx must export ${name}`);
  if (!element.isConnected || roots.has(element)) return;
  addWords(messages);
  const { id } = element.dataset;
  const root = hydrateRoot(element, treeOf(component, element), {
    identifierPrefix: id,
    onUncaughtError: (error) => fail(element, error),
    // Its page may be left before it has hydrated: that is no error of it.
    onRecoverableError: (error) => {
      if (roots.has(element)) reportError(error);
    },
  });
  roots.set(element, { root, component });
  element.dataset.hydrated = "";
}

function treeOf(component: IslandComponent, { dataset: { props = "{}", seed = "[]" } }: HTMLElement) {
  return (
    <IslandRoot
      component={component}
      props={JSON.parse(props) as Record<string, Json>}
      seed={JSON.parse(seed) as Seed[]}
    />
  );
}

/** Renders the hydrated islands under `main` with the props and seeds that they have in `next`; those that it lacks end. */
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

/** What is left of an island that threw: React has emptied its place. The rest of the page goes on. */
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
