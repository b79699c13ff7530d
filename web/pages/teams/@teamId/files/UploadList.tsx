// Uploads, each with its progress or its error. For islands.
import { X } from "lucide-react";
import { useTranslation } from "#translations";
import { CallFailure, isUnanswered, wordsOf } from "#web/client/call-api.ts";
import { perLanguage } from "#web/client/per-language.ts";
import type { Upload } from "#web/client/use-upload-queue.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ProgressBar } from "#web/ui/ProgressBar.tsx";

export interface UploadListProps {
  uploads: Upload[];
  /** How many have arrived already. */
  done?: number;
  /** When they go on, while the API asks to wait. */
  resumesAt?: Date | undefined;
  /** Cancels an upload, or removes a failed one. */
  onDismiss(key: number): void;
  onRetry(key: number): void;
  onChoose(key: number, choice: "replace" | "keepBoth"): void;
  onCancelAll(): void;
}

/** From this number on the list has a summary. */
const MANY = 6;
/** The most rows: a dropped folder may hold thousands of files, and each step of an upload renders the list. */
const MOST_SHOWN = 50;

const timeFormat = perLanguage((language) => new Intl.DateTimeFormat(language, { timeStyle: "short" }));

const choices = ["replace", "keepBoth"] as const;

const isLoggedOut = (problem: unknown) => problem instanceof CallFailure && problem.status === 401;

/** Whether the same file may be accepted later: no answer arrived, no session, too many calls, or the server failed. */
const isPassing = (problem: unknown) =>
  isUnanswered(problem) ||
  (problem instanceof CallFailure && ([401, 429].includes(problem.status) || problem.status >= 500));

const needsReader = ({ state }: Upload) => state === "failed" || state === "asking";

/** Whether it is sent again once the browser is online (use-uploads.ts). */
const isOffline = (problem: unknown) => isUnanswered(problem) && !navigator.onLine;

/** Moves the focus off a row or a button that is about to go: to the next row, the previous one, or where files are chosen. */
function focusBeside(row: Element | null): void {
  const near = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector("button");
  const place = row?.closest("dialog, main");
  const other =
    place?.querySelector<HTMLElement>("input[type=file]") ??
    place?.querySelector<HTMLElement>("button:not(li button)");
  (near ?? other)?.focus();
}

export function UploadList(props: UploadListProps) {
  const { uploads, done = 0, resumesAt, onRetry, onChoose, onCancelAll } = props;
  const { t, i18n } = useTranslation("files");
  if (uploads.length === 0) return null;
  const total = done + uploads.length;
  // Those that wait for the reader come first: among hundreds they would be out of sight.
  const ordered = [...uploads.filter(needsReader), ...uploads.filter((one) => !needsReader(one))];
  const hidden = Math.max(0, ordered.length - MOST_SHOWN);
  const passing = uploads.filter(({ state, problem }) => state === "failed" && isPassing(problem));
  const asking = uploads.filter(({ state }) => state === "asking");
  return (
    <>
      {total >= MANY && !uploads.every(needsReader) && (
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
      )}
      {resumesAt && (
        <p role="status" className="mt-4 text-muted text-sm">
          {t("paused", { time: timeFormat(i18n.language).format(resumesAt) })}
        </p>
      )}
      {passing.length > 1 && (
        <Button
          type="button"
          size="sm"
          className="mt-4"
          onClick={() => {
            for (const { key } of passing) onRetry(key);
          }}
        >
          {t("retryAll", { count: passing.length })}
        </Button>
      )}
      {asking.length > 1 && (
        <div className="mt-4 flex flex-wrap gap-2">
          {choices.map((choice) => (
            <Button
              key={choice}
              type="button"
              size="sm"
              onClick={({ currentTarget }) => {
                focusBeside(currentTarget);
                for (const { key } of asking) onChoose(key, choice);
              }}
            >
              {t(`known.${choice}All`, { count: asking.length })}
            </Button>
          ))}
        </div>
      )}
      <ul
        aria-label={t("uploads")}
        data-unsaved={uploads.some(({ state }) => state !== "failed") ? "" : undefined}
        className="@container mt-4 divide-y divide-line border-line border-y"
      >
        {ordered.slice(0, MOST_SHOWN).map((upload) => (
          <UploadRow key={upload.key} upload={upload} {...props} />
        ))}
      </ul>
      {hidden > 0 && <p className="mt-2 text-muted text-sm">{t("more", { count: hidden })}</p>}
    </>
  );
}

interface UploadRowProps extends Pick<UploadListProps, "onDismiss" | "onRetry" | "onChoose"> {
  upload: Upload;
}

function UploadRow({ upload, onDismiss, onRetry, onChoose }: UploadRowProps) {
  const { key, name, share, state, problem } = upload;
  const { t } = useTranslation("files");
  const removal = (label: string) => (
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
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
      <span className="min-w-0 grow basis-24 truncate @2xl:basis-0">{name}</span>
      {state === "asking" ? (
        <>
          <span role="alert" className="@max-2xl:order-last @max-2xl:basis-full text-muted text-sm">
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
          {removal(t("cancel", { name }))}
        </>
      ) : state === "failed" ? (
        <>
          <span
            role="alert"
            className="@max-2xl:order-last min-w-0 @max-2xl:basis-full @2xl:max-w-[60%] text-bad text-sm"
          >
            {isOffline(problem) ? t("offline") : wordsOf(problem, t).description}
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
          {removal(t("dismiss", { name }))}
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
          {share < 1 && removal(t("cancel", { name }))}
        </>
      )}
    </li>
  );
}
