// The uploads of one drop zone: two at a time, each with its own progress and outcome, so a bad file does not stop the
// others. A file whose name the team already has waits for the choice to replace that file or keep both.
import { useCallback, useEffect, useRef, useState } from "react";
import { findFileNamed, uploadFile } from "./uploads.ts";

export interface Upload {
  key: number;
  name: string;
  /** 0 to 1. */
  share: number;
  state: "waiting" | "asking" | "sending" | "failed";
  /** Its error; wordsOf has the text. */
  problem?: unknown;
}

/** A file to upload. `replaced`: the file that it replaces; null to keep both, undefined until that was looked up. */
interface Sending {
  key: number;
  file: File;
  replaced?: string | null;
}

const AT_ONCE = 2;

/** `onUploaded` receives the id of each uploaded file. */
export function useUploads(
  teamId: string,
  onUploaded: (file: { id: string; name: string }) => Promise<void>,
) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const queue = useRef<Sending[]>([]);
  const asking = useRef(new Map<number, Sending>());
  const running = useRef(0);
  const nextKey = useRef(0);
  const controller = useRef(new AbortController());
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  useEffect(() => {
    controller.current = new AbortController();
    const { current } = controller;
    return () => current.abort();
  }, []);

  const change = useCallback(
    (key: number, part: Partial<Upload> | null) =>
      setUploads((now) =>
        part === null
          ? now.filter((upload) => upload.key !== key)
          : now.map((upload) => (upload.key === key ? { ...upload, ...part } : upload)),
      ),
    [],
  );

  const work = useCallback(async () => {
    if (running.current >= AT_ONCE) return;
    const next = queue.current.shift();
    if (!next) return;
    running.current += 1;
    const { key, file } = next;
    try {
      if (next.replaced === undefined) {
        // When the lookup fails, both files are kept.
        const replaced = await findFileNamed(teamId, file.name).catch(() => undefined);
        if (replaced) {
          asking.current.set(key, { ...next, replaced });
          change(key, { state: "asking" });
          return;
        }
      }
      change(key, { state: "sending" });
      const { signal } = controller.current;
      const progress = (share: number) => change(key, { share });
      const stored = await uploadFile(teamId, file, progress, signal, next.replaced ?? undefined);
      await uploaded.current(stored);
      change(key, null);
    } catch (error) {
      change(key, { state: "failed", problem: error });
    } finally {
      running.current -= 1;
      void work();
    }
  }, [change, teamId]);

  const add = useCallback(
    (files: Iterable<File>) => {
      for (const file of files) {
        const key = nextKey.current++;
        setUploads((now) => [...now, { key, name: file.name, share: 0, state: "waiting" }]);
        queue.current.push({ key, file });
        void work();
      }
    },
    [work],
  );

  const choose = useCallback(
    (key: number, choice: "replace" | "keepBoth") => {
      const asked = asking.current.get(key);
      if (!asked?.replaced) return;
      asking.current.delete(key);
      change(key, { state: "waiting" });
      queue.current.push(choice === "replace" ? asked : { ...asked, replaced: null });
      void work();
    },
    [change, work],
  );

  const dismiss = useCallback((key: number) => change(key, null), [change]);
  const busy = uploads.some(({ state }) => state !== "failed");

  // An upload in progress exists nowhere else yet, so leaving asks first.
  useEffect(() => {
    if (!busy) return;
    const keep = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", keep);
    return () => removeEventListener("beforeunload", keep);
  }, [busy]);

  return { uploads, busy, add, choose, dismiss };
}
