// The age of a citation's document: when it was synced, and when it was last changed at its source.
import { useTranslation } from "#translations";
import { perReader } from "../../client/per-language.ts";
import { useTimeZone } from "../../client/time-zone.ts";
import { DateTime } from "../../ui/DateTime.tsx";
import type { Citation } from "./chat.ts";

const monthFormat = perReader(
  (language, timeZone) => new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone }),
);

export function CitationAge({ citation }: { citation: Pick<Citation, "syncedAt" | "changedAt"> }) {
  const { t, i18n } = useTranslation("chat");
  const timeZone = useTimeZone();
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
        <time dateTime={changedAt} suppressHydrationWarning>
          {t("age.changed", { month: monthFormat(i18n.language, timeZone).format(new Date(changedAt)) })}
        </time>
      )}
    </p>
  );
}
