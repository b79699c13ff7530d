// Where in a document a source stands, in words: its section and its page; "" for a document without either.
import { useCallback } from "react";
import { useTranslation } from "#translations";
import type { CitedSource } from "./cited-sources.ts";

export function usePlaceWords(): (source: Pick<CitedSource, "heading" | "page">) => string {
  const { t } = useTranslation("passages");
  return useCallback(
    ({ heading, page }) => [heading, page === null ? "" : t("page", { page })].filter(Boolean).join(" · "),
    [t],
  );
}
