// A handover's notifications, and whether each was delivered.
import { useTranslation } from "#translations";
import { Badge } from "#web/ui/Badge.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Section } from "#web/ui/Section.tsx";
import { statusTones } from "../status-tones.ts";
import type { HandoverData } from "./+data.ts";

export function Deliveries({ deliveries }: Pick<HandoverData["handover"], "deliveries">) {
  const { t } = useTranslation("handovers");
  if (deliveries.length === 0) return null;
  return (
    <Section title={t("deliveries.title")}>
      <ul className="divide-y divide-line border-line border-y">
        {deliveries.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm">
            <span className="min-w-0 flex-1">
              {t(`deliveries.kind.${one.kind}`)}
              {one.error && (
                <span className="block text-muted">
                  {t(`deliveries.error.${one.error}`, { status: one.lastStatus ?? "" })}
                  {one.nextAttemptAt && (
                    <>
                      {" "}
                      {t("deliveries.next")} <DateTime value={one.nextAttemptAt} />
                    </>
                  )}
                </span>
              )}
            </span>
            <Badge tone={statusTones[one.status]}>{t(`deliveries.status.${one.status}`)}</Badge>
            <span className="text-muted">
              <DateTime value={one.deliveredAt ?? one.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
