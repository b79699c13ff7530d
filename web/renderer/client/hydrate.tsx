// The part of the islands client that needs React: the words, and a root per island.
import { hydrateRoot, type Root } from "react-dom/client";
import type { Words } from "../../browser/words.ts";
import { type IslandComponent, IslandRoot, type Json, type Seed } from "../island-root.tsx";
import { addWords } from "./translations.ts";

const modules = import.meta.glob<Record<string, IslandComponent>>("../../islands/*.tsx");
const roots = new Map<Element, Root>();

/** Hydrates one island element. Throws for a name that no file in web/islands/ has. */
export async function hydrate(element: HTMLElement, messages: Record<string, Words>): Promise<void> {
  const { island: name = "", id, props = "{}", seed = "[]" } = element.dataset;
  const load = modules[`../../islands/${name}.tsx`];
  if (!load) throw new Error(`No island is named ${name}`);
  const component = (await load())[name];
  if (!component) throw new Error(`web/islands/${name}.tsx must export ${name}`);
  if (!element.isConnected || roots.has(element)) return;
  addWords(messages);
  const tree = (
    <IslandRoot
      component={component}
      props={JSON.parse(props) as Record<string, Json>}
      seed={JSON.parse(seed) as Seed[]}
    />
  );
  roots.set(element, hydrateRoot(element, tree, { identifierPrefix: id }));
  element.dataset.hydrated = "";
}

/** Unmounts every hydrated island under `root`. */
export function unmount(root: ParentNode): void {
  for (const element of root.querySelectorAll("[data-hydrated]")) {
    roots.get(element)?.unmount();
    roots.delete(element);
  }
}
