// Files while they are indexed, each with its status; failed ones with the reason and the remedy. For islands.
import { FileText } from "lucide-react";
import { useTranslation } from "#translations";
import type { KnowledgeState } from "../teams/@teamId/knowledges/knowledge-state.ts";

export interface ReadFilesProps {
  documents: KnowledgeState["documents"];
  mayAdd: boolean;
  /** Address of a source, with {sourceId} as placeholder. */
  address: string;
}

const tones: Record<string, string> = { ready: "text-good", failed: "text-bad" };

export function ReadFiles({ documents, mayAdd, address }: ReadFilesProps) {
  const { t } = useTranslation("onboarding");
  if (documents.length === 0) return null;
  return (
    <ul
      aria-label={t("files.label")}
      aria-live="polite"
      className="mt-6 divide-y divide-line border-line border-y"
    >
      {documents.map(({ id, sourceId, title, status, chunksCount, error, note }) => (
        <li key={id} className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2.5">
          <FileText aria-hidden className="mt-1 size-4 shrink-0 text-faint" />
          <div className="min-w-0 flex-1">
            <a
              href={`${address.replace("{sourceId}", sourceId)}/documents/${id}`}
              className="block truncate rounded-sm hover:underline"
            >
              {title}
            </a>
            {error && (
              <p className="text-bad text-sm">
                {error} {mayAdd && t("files.mend")}
              </p>
            )}
            {note && !error && <p className="text-careful text-sm">{note}</p>}
          </div>
          <span className={`whitespace-nowrap text-sm tabular-nums ${tones[status] ?? "text-muted"}`}>
            {t(`files.status.${status}`, { count: chunksCount, defaultValue: t("files.status.queued") })}
          </span>
        </li>
      ))}
    </ul>
  );
}
