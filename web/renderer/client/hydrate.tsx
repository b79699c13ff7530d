// The part of the islands client that needs React: one i18next, one QueryClient and a root per island.
import { QueryClient } from "@tanstack/react-query";
import { createInstance } from "i18next";
import { hydrateRoot, type Root } from "react-dom/client";
import { initReactI18next } from "react-i18next";
import { type IslandComponent, IslandRoot, type Json, type Seed } from "../island-root.tsx";
import { start } from "./start.ts";

const modules = import.meta.glob<Record<string, IslandComponent>>("../../islands/*.tsx");
const roots = new Map<Element, Root>();
const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, refetchOnWindowFocus: true, retry: 1 } },
});
const i18n = createInstance();
void i18n.use(initReactI18next).init({
  lng: start.locale,
  resources: {},
  interpolation: { escapeValue: false },
});

/** Hydrates one island element. Throws for a name that no file in web/islands/ has. */
export async function hydrate(element: HTMLElement, messages: Record<string, unknown>): Promise<void> {
  const { island: name = "", id, props = "{}", seed = "[]" } = element.dataset;
  const load = modules[`../../islands/${name}.tsx`];
  if (!load) throw new Error(`No island is named ${name}`);
  const component = (await load())[name];
  if (!component) throw new Error(`web/islands/${name}.tsx must export ${name}`);
  if (!element.isConnected || roots.has(element)) return;
  for (const [namespace, bundle] of Object.entries(messages)) {
    i18n.addResourceBundle(start.locale, namespace, bundle, true, true);
  }
  for (const { key, data } of JSON.parse(seed) as Seed[]) queries.setQueryData(key, data);
  const tree = (
    <IslandRoot
      component={component}
      props={JSON.parse(props) as Record<string, Json>}
      i18n={i18n}
      queries={queries}
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
