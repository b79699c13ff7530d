// What the browser keeps for this page. In a frame on another site it may refuse (third-party storage blocked): then
// nothing outlasts the page, and nothing breaks.

export interface Kept {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  clear(): void;
}

function kept(open: () => Storage): Kept {
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
    clear: () => void attempt((storage) => storage.clear()),
  };
}

/** Until the tab closes. */
export const inTab: Kept = kept(() => sessionStorage);
/** For good. */
export const inBrowser: Kept = kept(() => localStorage);
