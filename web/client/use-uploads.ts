// The uploads of one drop zone, which survive a lost connection.
import { useEffect } from "react";
import { isUnanswered } from "./call-api.ts";
import { type Upload, useUploadQueue } from "./use-upload-queue.ts";

/** `onUploaded` receives the id of each uploaded file. */
export function useUploads(
  teamId: string,
  onUploaded: (file: { id: string; name: string }) => Promise<void>,
) {
  const { uploads, done, resumesAt, add, choose, retry, dismiss } = useUploadQueue(teamId, onUploaded);
  const busy = uploads.some(({ state }) => state !== "failed");
  useRetryOnline(uploads, retry);

  /** Cancels all but the failed ones, whose reasons stay. */
  function onCancelAll(): void {
    for (const { key, state } of uploads) if (state !== "failed") dismiss(key);
  }

  /** What UploadList shows and calls. */
  const list = {
    uploads,
    done,
    resumesAt,
    onDismiss: dismiss,
    onRetry: retry,
    onChoose: choose,
    onCancelAll,
  };
  return { uploads, busy, add, list };
}

/** What got no answer is sent again once the browser is online. */
function useRetryOnline(uploads: Upload[], retry: (key: number) => void): void {
  useEffect(() => {
    const failed = uploads.filter(({ state, problem }) => state === "failed" && isUnanswered(problem));
    if (failed.length === 0) return;
    const again = () => {
      for (const { key } of failed) retry(key);
    };
    addEventListener("online", again, { once: true });
    return () => removeEventListener("online", again);
  }, [uploads, retry]);
}
