// A task's failed documents, each with the reason and a retry button. Server only.
import { FileWarning } from "lucide-react";
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { teamPath } from "#web/request/current-team.ts";
import { RetryDocument } from "../../sources/RetryDocument.tsx";

export interface FailedDocument {
  id: string;
  sourceId: string;
  title: string;
  error: string | null;
}

export interface FailedDocumentsProps {
  documents: FailedDocument[];
  /** Sources with more failed documents than are shown. */
  more: string[];
  mayRetry: boolean;
}

export function FailedDocuments({ documents, more, mayRetry }: FailedDocumentsProps) {
  const { t } = useTranslation("tasks");
  const request = useRequest();
  if (documents.length === 0) return null;
  return (
    <section aria-labelledby="failed-documents" className="mt-8">
      <h2 id="failed-documents" className="mb-3 font-medium text-lg">
        {t("failedDocuments.title")}
      </h2>
      <ul className="divide-y divide-line border-line border-y">
        {documents.map(({ id, sourceId, title, error }) => (
          <li key={id} className="flex items-start gap-3 py-2.5">
            <FileWarning aria-hidden className="mt-1 size-4 shrink-0 text-bad" />
            <div className="min-w-0 flex-1">
              <a
                href={teamPath(request, `source/${sourceId}/documents/${id}`)}
                className="block truncate rounded-sm font-medium hover:underline"
              >
                {title}
              </a>
              {error && <p className="break-words text-bad text-sm">{error}</p>}
            </div>
            {mayRetry && <RetryDocument id={id} sourceId={sourceId} title={title} />}
          </li>
        ))}
      </ul>
      {more.map((sourceId) => (
        <a
          key={sourceId}
          href={teamPath(request, `source/${sourceId}/documents?status=failed`)}
          className="mt-3 inline-block rounded-sm text-accent-ink text-sm hover:underline"
        >
          {t("failedDocuments.all")}
        </a>
      ))}
    </section>
  );
}
