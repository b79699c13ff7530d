// Storage for what the reader types, until the tab closes. Belongs to the person of the shown document: a session may end
// without a logout, and somebody else log in. What was typed before a login belongs to whoever logs in.
import { inTab, type SafeStorage } from "./storage.ts";

function keyOfPerson(key: string): string {
  const { person } = document.documentElement.dataset;
  return person ? `${person}:${key}` : key;
}

export const ownInTab: SafeStorage = {
  get: (key) => inTab.get(keyOfPerson(key)) ?? inTab.get(key),
  set: (key, value) => inTab.set(keyOfPerson(key), value),
  remove(key) {
    inTab.remove(keyOfPerson(key));
    inTab.remove(key);
  },
};

/** Empties the tab's storage, of everybody. */
export function clearTab(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Blocked storage has nothing to clear.
  }
}
