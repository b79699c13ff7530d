// Files on their way, each with its progress or with what went wrong. For islands.
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Upload } from "../../browser/use-uploads.ts";
import { ProgressBar } from "../ProgressBar.tsx";

export interface UploadListProps {
  uploads: Upload[];
  onDismiss(key: number): void;
}

export function UploadList({ uploads, onDismiss }: UploadListProps) {
  const { t } = useTranslation("files");
  if (uploads.length === 0) return null;
  return (
    <ul aria-label={t("uploads")} className="mt-4 divide-y divide-line border-line border-y">
      {uploads.map(({ key, name, share, state, problem }) => (
        <li key={key} className="flex items-center gap-4 py-2.5">
          <span className="min-w-0 flex-1 truncate">{name}</span>
          {state === "failed" ? (
            <>
              <span role="alert" className="min-w-0 max-w-[60%] text-bad text-sm">
                {problem?.message || t(`errors:${problem?.code ?? "UNEXPECTED_ERROR"}.title`)}
              </span>
              <button
                type="button"
                aria-label={t("dismiss", { name })}
                onClick={() => onDismiss(key)}
                className="icon-button"
              >
                <X aria-hidden className="size-4" />
              </button>
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
