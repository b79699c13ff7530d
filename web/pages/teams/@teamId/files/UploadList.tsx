// Uploads, each with its progress or its error. For islands.
import { X } from "lucide-react";
import { useTranslation } from "#translations";
import { CallFailure, isUnanswered, wordsOf } from "#web/client/call-api.ts";
import type { Upload } from "#web/client/use-upload-queue.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ProgressBar } from "#web/ui/ProgressBar.tsx";

export interface UploadListProps {
  uploads: Upload[];
  /** How many have arrived already. */
  done?: number;
  /** Cancels an upload, or removes a failed one. */
  onDismiss(key: number): void;
  onRetry(key: number): void;
  onChoose(key: number, choice: "replace" | "keepBoth"): void;
  onCancelAll(): void;
}

/** From this number on the list has a summary. */
const MANY = 6;

const choices = ["replace", "keepBoth"] as const;

const isLoggedOut = (problem: unknown) => problem instanceof CallFailure && problem.status === 401;

/** Whether the same file may be accepted later: no answer arrived, no session, too many calls, or the server failed. */
const isPassing = (problem: unknown) =>
  isUnanswered(problem) ||
  (problem instanceof CallFailure && ([401, 429].includes(problem.status) || problem.status >= 500));

/** Moves the focus off a row that is about to go: to the next row, the previous one, or where files are chosen. */
function focusBeside(row: Element | null): void {
  const near = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector("button");
  const place = row?.closest("dialog, main");
  const other =
    place?.querySelector<HTMLElement>("input[type=file]") ??
    place?.querySelector<HTMLElement>("button:not(li button)");
  (near ?? other)?.focus();
}

export function UploadList(props: UploadListProps) {
  const { uploads, done = 0, onDismiss, onRetry, onChoose, onCancelAll } = props;
  const { t } = useTranslation("files");
  if (uploads.length === 0) return null;
  const removal = (key: number, label: string) => (
    <IconButton
      label={label}
      onClick={({ currentTarget }) => {
        focusBeside(currentTarget.closest("li"));
        onDismiss(key);
      }}
    >
      <X aria-hidden className="size-4" />
    </IconButton>
  );
  const total = done + uploads.length;
  const needsReader = ({ state }: Upload) => state === "failed" || state === "asking";
  // Those that wait for the reader come first: among hundreds they would be out of sight.
  const ordered = [...uploads.filter(needsReader), ...uploads.filter((one) => !needsReader(one))];
  const list = (
    <ul aria-label={t("uploads")} className="mt-4 divide-y divide-line border-line border-y">
      {ordered.map(({ key, name, share, state, problem }) => (
        <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
          <span className="min-w-0 grow basis-24 truncate sm:basis-0">{name}</span>
          {state === "asking" ? (
            <>
              <span role="alert" className="text-muted text-sm max-sm:basis-full">
                {t("known.found")}
              </span>
              {choices.map((choice) => (
                <Button
                  key={choice}
                  type="button"
                  size="sm"
                  aria-label={t(`known.${choice}Named`, { name })}
                  onClick={() => onChoose(key, choice)}
                >
                  {t(`known.${choice}`)}
                </Button>
              ))}
              {removal(key, t("cancel", { name }))}
            </>
          ) : state === "failed" ? (
            <>
              <span
                role="alert"
                className="min-w-0 text-bad text-sm max-sm:order-last max-sm:basis-full sm:max-w-[60%]"
              >
                {wordsOf(problem, t).description}
              </span>
              {/* This page holds the file: it must stay open. */}
              {isLoggedOut(problem) && (
                <a href="/login" target="_blank" rel="noreferrer" className="text-sm underline">
                  {t("logIn")}
                </a>
              )}
              {isPassing(problem) && (
                <Button
                  type="button"
                  size="sm"
                  aria-label={t("retryNamed", { name })}
                  onClick={() => onRetry(key)}
                >
                  {t("retry")}
                </Button>
              )}
              {removal(key, t("dismiss", { name }))}
            </>
          ) : (
            <>
              <div className="w-36 sm:w-40">
                <ProgressBar done={Math.round(share * 100)} total={100} label={t("sending", { name })}>
                  {state === "waiting"
                    ? t("waiting")
                    : share < 1
                      ? t("sent", { percent: Math.round(share * 100) })
                      : t("storing")}
                </ProgressBar>
              </div>
              {share < 1 && removal(key, t("cancel", { name }))}
            </>
          )}
        </li>
      ))}
    </ul>
  );
  if (total < MANY || uploads.every(needsReader)) return list;
  return (
    <>
      <div className="mt-4 flex items-start gap-4">
        <div className="flex-1">
          <ProgressBar done={done} total={total} label={t("uploads")}>
            {t("progress", { done, total })}
          </ProgressBar>
        </div>
        <Button type="button" size="sm" onClick={onCancelAll}>
          {t("cancelAll")}
        </Button>
      </div>
      {list}
    </>
  );
}
