// Lists a knowledge base's sources that are overdue for a sync, with links. Server only.
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import type { Knowledge } from "#web/request/api-types.ts";
import { teamPath } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";

type Overdue = Pick<Knowledge, "id" | "name" | "overdueSources" | "warnAfterDays">;

export interface OverdueSourcesProps {
  knowledge: Overdue;
  /** Whether to name the knowledge base, where several may be shown. */
  isNamed?: boolean;
}

const shown = 5;

export function OverdueSources({ knowledge, isNamed = false }: OverdueSourcesProps) {
  const { t } = useTranslation("knowledges");
  const request = useRequest();
  const { name, overdueSources: sources, warnAfterDays } = knowledge;
  if (sources.length === 0) return null;
  return (
    <Alert
      tone="careful"
      title={t(isNamed ? "overdue.titleOf" : "overdue.title", { name, count: warnAfterDays ?? 0 })}
    >
      <ul>
        {sources.slice(0, shown).map((source) => (
          <li key={source.id}>
            <a href={teamPath(request, `sources/${source.id}`)} className="font-medium underline">
              {source.name}
            </a>
            {" · "}
            {source.syncedAt ? (
              <>
                {t("overdue.synced")} <DateTime value={source.syncedAt} />
              </>
            ) : (
              t("overdue.never")
            )}
          </li>
        ))}
        {sources.length > shown && <li>{t("overdue.more", { count: sources.length - shown })}</li>}
      </ul>
    </Alert>
  );
}
