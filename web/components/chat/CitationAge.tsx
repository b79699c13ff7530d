// How old what a citation quotes is: when it was synced, and when it was last changed at its source.
import { useTranslation } from "#translations";
import type { Citation } from "../../browser/chat.ts";
import { perLanguage } from "../../browser/per-language.ts";
import { DateTime } from "../DateTime.tsx";

const monthFormat = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" }),
);

export function CitationAge({ citation }: { citation: Pick<Citation, "syncedAt" | "changedAt"> }) {
  const { t, i18n } = useTranslation("chat");
  const { syncedAt, changedAt } = citation;
  if (!syncedAt && !changedAt) return null;
  return (
    <p className="text-muted text-xs first-letter:uppercase">
      {syncedAt && (
        <span>
          {t("age.synced")} <DateTime value={syncedAt} />
        </span>
      )}
      {syncedAt && changedAt && " · "}
      {changedAt && (
        <time dateTime={changedAt}>
          {t("age.changed", { month: monthFormat(i18n.language).format(new Date(changedAt)) })}
        </time>
      )}
    </p>
  );
}
