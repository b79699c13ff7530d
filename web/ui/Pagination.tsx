// "21–40 of 310" with links to the previous and next page. Keeps the rest of the query. Server only.
import { useTranslation } from "#translations";
import { numberFormat } from "../client/per-language.ts";
import { useRequest } from "../render/render-context.tsx";
import { Button } from "./Button.tsx";

export interface PaginationProps {
  page: number;
  perPage: number;
  total: number;
  /** The query parameter; set it when two lists are on a page. */
  name?: string;
}

export function Pagination({ page, perPage, total, name = "page" }: PaginationProps) {
  const { t, i18n } = useTranslation("app");
  const { url } = useRequest();
  if (total <= perPage && page === 1) return null;
  const href = (target: number) => {
    const search = new URLSearchParams(url.search);
    search.set(name, String(target));
    return `${url.pathname}?${search}`;
  };
  const number = numberFormat(i18n.language);
  const last = Math.max(1, Math.ceil(total / perPage));
  return (
    <nav
      aria-label={t("pagination.label")}
      className="mt-4 flex items-center justify-between gap-4 text-muted text-sm"
    >
      <p className="tabular-nums">
        {t("pagination.range", {
          from: number.format(Math.min(total, (page - 1) * perPage + 1)),
          to: number.format(Math.min(total, page * perPage)),
          total: number.format(total),
        })}
      </p>
      <div className="flex gap-2">
        {page > 1 && (
          <Button href={href(page - 1)} size="sm" rel="prev">
            {t("pagination.previous")}
          </Button>
        )}
        {page < last && (
          <Button href={href(page + 1)} size="sm" rel="next">
            {t("pagination.next")}
          </Button>
        )}
      </div>
    </nav>
  );
}
