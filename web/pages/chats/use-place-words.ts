// A source's position in its document as text: its section and its page or pages; "" for a document without either.
import { useCallback } from "react";
import { useTranslation } from "#translations";
import type { CitedSource } from "./cited-sources.ts";

export function usePlaceWords(): (
  source: Pick<CitedSource, "heading" | "page"> & { lastPage?: number | null },
) => string {
  const { t } = useTranslation("passages");
  return useCallback(
    ({ heading, page, lastPage }) => {
      const isLong = page !== null && lastPage && lastPage > page;
      const pages = isLong
        ? t("pages", { from: page, to: lastPage })
        : page === null
          ? ""
          : t("page", { page });
      return [heading, pages].filter(Boolean).join(" · ");
    },
    [t],
  );
}
