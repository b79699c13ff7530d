// Sends files two at a time, each with its own progress and outcome, so a bad file does not stop the others. A file whose
// name the team already has waits for the choice to replace that file or keep both. All wait as long as the API asks.
import { useEffect, useRef, useState } from "react";
import { CallFailure } from "./call-api.ts";
import { findFileNamed, type UploadedFile, uploadFile } from "./uploads.ts";

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
  controller: AbortController;
  replaced?: string | null;
  /** The file once it has arrived. When its use fails, a retry does not send it again. */
  stored?: UploadedFile;
}

const AT_ONCE = 2;
/** The API counts uploads in windows of ten minutes. */
const LONGEST_WAIT_SECONDS = 900;

/** Seconds that the API asks to wait before any further upload. */
function waitAfter(error: unknown): number | undefined {
  if (!(error instanceof CallFailure) || error.status !== 429) return undefined;
  const { retryAfterSeconds: seconds } = error;
  return seconds !== undefined && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined;
}

/** The uploads, and what starts, changes and ends them. `onUploaded` receives the id of each uploaded file. */
export function useUploadQueue(
  teamId: string,
  onUploaded: (file: { id: string; name: string }) => Promise<void>,
) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  /** How many have arrived since the list was last empty. */
  const [done, setDone] = useState(0);
  const queue = useRef<Sending[]>([]);
  const listed = useRef(new Map<number, Sending>());
  const running = useRef(0);
  /** When the uploads go on, while the API asks to wait. */
  const [resumesAt, setResumesAt] = useState<Date>();
  const resuming = useRef<ReturnType<typeof setTimeout>>(undefined);
  const nextKey = useRef(0);
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  // What is under way ends with the drop zone.
  useEffect(() => {
    const { current } = listed;
    return () => {
      for (const { controller } of current.values()) controller.abort();
      clearTimeout(resuming.current);
    };
  }, []);

  function change(key: number, part: Partial<Upload> | null): void {
    setUploads((now) =>
      part === null
        ? now.filter((upload) => upload.key !== key)
        : now.map((upload) => (upload.key === key ? { ...upload, ...part } : upload)),
    );
  }

  function pause(seconds: number): void {
    clearTimeout(resuming.current);
    setResumesAt(new Date(Date.now() + seconds * 1000));
    resuming.current = setTimeout(() => {
      resuming.current = undefined;
      setResumesAt(undefined);
      for (let at = 0; at < AT_ONCE; at++) void work();
    }, seconds * 1000);
  }

  async function work(): Promise<void> {
    if (running.current >= AT_ONCE || resuming.current !== undefined) return;
    const next = queue.current.shift();
    if (!next) return;
    if (next.controller.signal.aborted) return void work();
    running.current += 1;
    const { key, file, controller } = next;
    try {
      if (!next.stored) {
        // When the lookup fails, both files are kept.
        const found =
          next.replaced === undefined ? await findFileNamed(teamId, file.name).catch(() => undefined) : null;
        if (controller.signal.aborted) return;
        if (found) {
          listed.current.set(key, { ...next, replaced: found });
          change(key, { state: "asking" });
          return;
        }
        change(key, { state: "sending" });
        const progress = (share: number) => change(key, { share });
        next.stored = await uploadFile(teamId, file, progress, controller.signal, next.replaced ?? undefined);
      }
      change(key, { state: "sending", share: 1 });
      await uploaded.current(next.stored);
      listed.current.delete(key);
      setDone((count) => count + 1);
      change(key, null);
    } catch (error) {
      const seconds = waitAfter(error);
      if (seconds === undefined) return change(key, { state: "failed", problem: error });
      queue.current.unshift(next);
      change(key, { state: "waiting", share: 0 });
      pause(seconds);
    } finally {
      running.current -= 1;
      void work();
    }
  }

  function start(sending: Sending): void {
    listed.current.set(sending.key, sending);
    queue.current.push(sending);
    void work();
  }

  function startAgain(sending: Sending): void {
    change(sending.key, { state: "waiting", share: 0, problem: undefined });
    start(sending);
  }

  return {
    uploads,
    done,
    resumesAt,
    add(files: Iterable<File>): void {
      if (listed.current.size === 0) setDone(0);
      for (const file of files) {
        const key = nextKey.current++;
        setUploads((now) => [...now, { key, name: file.name, share: 0, state: "waiting" }]);
        start({ key, file, controller: new AbortController() });
      }
    },
    choose(key: number, choice: "replace" | "keepBoth"): void {
      const asked = listed.current.get(key);
      if (asked?.replaced) startAgain(choice === "replace" ? asked : { ...asked, replaced: null });
    },
    retry(key: number): void {
      const failed = listed.current.get(key);
      // Looked up again: the file may have arrived although its answer was lost.
      if (failed) startAgain({ ...failed, replaced: undefined });
    },
    dismiss(key: number): void {
      listed.current.get(key)?.controller.abort();
      listed.current.delete(key);
      change(key, null);
    },
  };
}
