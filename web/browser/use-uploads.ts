// The uploads of one drop zone: two at a time, each with its own progress and its own end, so that a bad file stops none
// of the others.
import { useCallback, useEffect, useRef, useState } from "react";
import { CallFailure } from "./call-api.ts";
import { uploadFile } from "./uploads.ts";

export interface Upload {
  key: number;
  name: string;
  /** 0 to 1. */
  share: number;
  state: "waiting" | "sending" | "failed";
  /** What went wrong: the API's code and words. */
  problem?: { code: string; message: string };
}

const AT_ONCE = 2;

/** `onUploaded` gets the id of each file as it arrives. */
export function useUploads(
  teamId: string,
  onUploaded: (file: { id: string; name: string }) => Promise<void>,
) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const queue = useRef<{ key: number; file: File }[]>([]);
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
    change(key, { state: "sending" });
    try {
      const { signal } = controller.current;
      const stored = await uploadFile(teamId, file, (share) => change(key, { share }), signal);
      await uploaded.current(stored);
      change(key, null);
    } catch (error) {
      const problem =
        error instanceof CallFailure
          ? { code: error.code, message: error.message }
          : { code: "UNEXPECTED_ERROR", message: "" };
      change(key, { state: "failed", problem });
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

  const dismiss = useCallback((key: number) => change(key, null), [change]);
  const busy = uploads.some(({ state }) => state !== "failed");

  // A file that is on its way is nowhere else yet: leaving asks first.
  useEffect(() => {
    if (!busy) return;
    const keep = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", keep);
    return () => removeEventListener("beforeunload", keep);
  }, [busy]);

  return { uploads, busy, add, dismiss };
}
