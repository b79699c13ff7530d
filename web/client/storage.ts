// The browser's storage for this page. In a frame on another site it may be blocked (third-party storage): then nothing
// outlives the page, and nothing breaks.

export interface SafeStorage {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

function openStorage(open: () => Storage): SafeStorage {
  const attempt = <Result>(work: (storage: Storage) => Result): Result | null => {
    try {
      return work(open());
    } catch {
      return null;
    }
  };
  return {
    get: (key) => attempt((storage) => storage.getItem(key)),
    set: (key, value) => void attempt((storage) => storage.setItem(key, value)),
    remove: (key) => void attempt((storage) => storage.removeItem(key)),
  };
}

/** Until the tab closes. */
export const inTab: SafeStorage = openStorage(() => sessionStorage);
/** Permanently. */
export const inBrowser: SafeStorage = openStorage(() => localStorage);
