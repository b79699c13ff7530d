// Pagination by cursor: back to the start, or to the next page. Keeps the rest of the query. Server only.
import { useTranslation } from "#translations";
import { useRequest } from "../render/render-context.tsx";
import { Button } from "./Button.tsx";

export function CursorPagination({ lastKey }: { lastKey: string | null }) {
  const { t } = useTranslation("app");
  const { url } = useRequest();
  const isStart = !url.searchParams.has("lastKey");
  if (isStart && !lastKey) return null;
  const href = (key: string | null) => {
    const search = new URLSearchParams(url.search);
    if (key) search.set("lastKey", key);
    else search.delete("lastKey");
    return search.size > 0 ? `${url.pathname}?${search}` : url.pathname;
  };
  return (
    <nav aria-label={t("pagination.label")} className="mt-4 flex justify-end gap-2">
      {!isStart && (
        <Button href={href(null)} size="sm">
          {t("pagination.start")}
        </Button>
      )}
      {lastKey && (
        <Button href={href(lastKey)} size="sm" rel="next">
          {t("pagination.next")}
        </Button>
      )}
    </nav>
  );
}
