// What a service would provide, as a plain list: the count of each kind, and what it refuses access to. Server only.
import { Check, CircleAlert } from "lucide-react";
import { useTranslation } from "#translations";
import { numberFormat } from "#web/client/per-language.ts";
import { Alert } from "#web/ui/Alert.tsx";

export interface PreviewLine {
  kind: string;
  name: string | null;
  count: number | null;
  problem: string | null;
}

export interface SourcePreviewProps {
  /** The source's type. */
  type: string;
  preview: { lines: PreviewLine[] } | { problem: string };
}

export function SourcePreview({ type, preview }: SourcePreviewProps) {
  const { t } = useTranslation("sources");
  if ("problem" in preview)
    return (
      <Alert tone="bad" title={t("preview.failed")}>
        {preview.problem}
      </Alert>
    );
  return (
    <section aria-labelledby="source-preview">
      <h2 id="source-preview" className="mb-2 font-medium text-lg">
        {t("preview.title")}
      </h2>
      {preview.lines.length === 0 && <p className="text-muted">{t("preview.nothing")}</p>}
      <div className="border-line border-y empty:hidden">
        <SourceLines type={type} lines={preview.lines} />
      </div>
    </section>
  );
}

/** One line per kind of content: its name, its count, and what prevents access to it. */
export function SourceLines({ type, lines }: { type: string; lines: PreviewLine[] }) {
  const { t, i18n } = useTranslation("sources");
  const number = numberFormat(i18n.language);
  return (
    <ul className="divide-y divide-line empty:hidden">
      {lines.map(({ kind, name, count, problem }) => (
        <li key={`${kind} ${name}`} className="flex items-start gap-3 py-2.5">
          {problem ? (
            <CircleAlert aria-hidden className="mt-1 size-4 shrink-0 text-bad" />
          ) : (
            <Check aria-hidden className="mt-1 size-4 shrink-0 text-good" />
          )}
          <div className="min-w-0 flex-1">
            <p className="break-words">
              {[t(`source-${type}:kinds.${kind}`), name].filter(Boolean).join(" · ")}
            </p>
            {problem && <p className="text-bad text-sm">{problem}</p>}
          </div>
          {count !== null && <span className="text-muted tabular-nums">{number.format(count)}</span>}
        </li>
      ))}
    </ul>
  );
}
