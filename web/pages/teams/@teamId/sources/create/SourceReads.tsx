// What Parley syncs from a source type, and what it does not, shown before anything is connected. Server only.
import { Check, Minus } from "lucide-react";
import { useTranslation } from "#translations";
import type { SourceType } from "#web/request/api-types.ts";

export function SourceReads({ type: { type, reads, login } }: { type: SourceType }) {
  const { t } = useTranslation("sources");
  const words = `source-${type}`;
  return (
    <section aria-labelledby="source-reads">
      <h2 id="source-reads" className="mb-3 font-medium text-lg">
        {t("reads.title")}
      </h2>
      <ul className="space-y-2 text-sm">
        {reads.map((what) => (
          <li key={what} className="flex gap-2.5">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
            {t(`${words}:reads.${what}`)}
          </li>
        ))}
      </ul>
      <h3 className="mt-5 mb-2 font-medium text-sm">{t("reads.notTitle")}</h3>
      <ul className="space-y-2 text-muted text-sm">
        {[t(`${words}:not`), ...(login === "never" ? [] : [t("reads.readOnly")])].map((what) => (
          <li key={what} className="flex gap-2.5">
            <Minus aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
            {what}
          </li>
        ))}
      </ul>
    </section>
  );
}
