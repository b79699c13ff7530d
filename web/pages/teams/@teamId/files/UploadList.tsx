// Uploads, each with its progress or its error. For islands.
import { X } from "lucide-react";
import { useTranslation } from "#translations";
import { wordsOf } from "#web/client/call-api.ts";
import type { Upload } from "#web/client/use-uploads.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ProgressBar } from "#web/ui/ProgressBar.tsx";

export interface UploadListProps {
  uploads: Upload[];
  onDismiss(key: number): void;
  onChoose(key: number, choice: "replace" | "keepBoth"): void;
}

const choices = ["replace", "keepBoth"] as const;

export function UploadList({ uploads, onDismiss, onChoose }: UploadListProps) {
  const { t } = useTranslation("files");
  if (uploads.length === 0) return null;
  return (
    <ul aria-label={t("uploads")} className="mt-4 divide-y divide-line border-line border-y">
      {uploads.map(({ key, name, share, state, problem }) => (
        <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
          <span className="min-w-0 flex-1 truncate">{name}</span>
          {state === "asking" ? (
            <>
              <span role="alert" className="text-muted text-sm">
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
            </>
          ) : state === "failed" ? (
            <>
              <span role="alert" className="min-w-0 max-w-[60%] text-bad text-sm">
                {wordsOf(problem, t).description}
              </span>
              <IconButton label={t("dismiss", { name })} onClick={() => onDismiss(key)}>
                <X aria-hidden className="size-4" />
              </IconButton>
            </>
          ) : (
            <div className="w-40">
              <ProgressBar done={Math.round(share * 100)} total={100} label={t("sending", { name })} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
