// A text that is being written into a form of an island, stored in this tab until it is saved or discarded.
import { ownInTab } from "./own-storage.ts";

interface UnsavedText {
  /** The stored text; null when there is none. */
  read(): string | null;
  write(text: string): void;
  drop(): void;
}

/** @param name what is written and about what, such as `summary:ID` */
export function unsavedText(name: string): UnsavedText {
  const key = `parley-unsaved:${name}`;
  return {
    read: () => ownInTab.get(key),
    write: (text) => ownInTab.set(key, text),
    drop: () => ownInTab.remove(key),
  };
}
