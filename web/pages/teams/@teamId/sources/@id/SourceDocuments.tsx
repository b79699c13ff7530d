// A source's first documents, each with its status and a retry button. Server only.
import { FileText } from "lucide-react";
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { teamPath } from "#web/request/current-team.ts";
import { Status } from "#web/ui/Status.tsx";
import { RetryDocument } from "../RetryDocument.tsx";

export interface SourceDocumentsProps {
  source: { id: string; documentsCount: number };
  documents: { id: string; title: string; status: string; error: string | null; note: string | null }[];
  hasMore: boolean;
  mayWrite: boolean;
}

export function SourceDocuments({ source, documents, hasMore, mayWrite }: SourceDocumentsProps) {
  const { t } = useTranslation("sources");
  const request = useRequest();
  const all = teamPath(request, `source/${source.id}/documents`);
  return (
    <section aria-labelledby="source-documents">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id="source-documents" className="font-medium text-lg">
          {t("documents")}
        </h2>
        {hasMore && (
          <a href={all} className="rounded-sm text-accent-ink text-sm hover:underline">
            {t("allDocuments", { count: source.documentsCount })}
          </a>
        )}
      </div>
      {documents.length === 0 && <p className="text-muted">{t("noDocuments")}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {documents.map(({ id, title, status, error, note }) => (
          <li key={id} className="flex items-start gap-3 py-2.5">
            <FileText aria-hidden className="mt-1 size-4 shrink-0 text-faint" />
            <div className="min-w-0 flex-1">
              <a href={`${all}/${id}`} className="block truncate rounded-sm hover:underline">
                {title}
              </a>
              {error && <p className="text-bad text-sm">{error}</p>}
              {note && !error && <p className="text-careful text-sm">{note}</p>}
            </div>
            <span className="text-sm">
              <Status value={status} />
            </span>
            {mayWrite && status === "failed" && <RetryDocument id={id} sourceId={source.id} title={title} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
