// A source's skipped addresses and documents, each with the reason and the remedy. Server only.
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { teamPath } from "#web/request/current-team.ts";
import { Pagination } from "#web/ui/Pagination.tsx";

export interface Skipped {
  data: { address: string; title: string | null; documentId: string | null; problem: string }[];
  page: number;
  perPage: number;
  total: number;
}

export interface SourceSkippedProps {
  sourceId: string;
  skipped: Skipped;
}

export function SourceSkipped({ sourceId, skipped: { data, ...pages } }: SourceSkippedProps) {
  const { t } = useTranslation("sources");
  const request = useRequest();
  if (pages.total === 0) return null;
  return (
    <section aria-labelledby="source-skipped">
      <h2 id="source-skipped" className="mb-3 font-medium text-lg">
        {t("skipped.title", { count: pages.total })}
      </h2>
      <ul className="divide-y divide-line border-line border-y">
        {data.map(({ address, title, documentId, problem }) => (
          <li key={`${address} ${documentId ?? ""}`} className="py-2.5">
            {documentId ? (
              <a
                href={teamPath(request, `source/${sourceId}/documents/${documentId}`)}
                className="block truncate rounded-sm hover:underline"
              >
                {title ?? address}
              </a>
            ) : /^https?:/.test(address) ? (
              <a href={address} rel="noreferrer" className="block truncate rounded-sm hover:underline">
                {title ?? address}
              </a>
            ) : (
              <span className="block truncate">{title ?? address}</span>
            )}
            <p className="text-muted text-sm">{problem}</p>
          </li>
        ))}
      </ul>
      <Pagination {...pages} name="skipped" />
    </section>
  );
}
