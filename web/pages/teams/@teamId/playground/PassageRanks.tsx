// A passage's ranks in a search: semantic, full-text, and both combined, as bars that can be compared.
import { useTranslation } from "#translations";
import { perLanguage } from "#web/client/per-language.ts";

const scoreFormat = perLanguage(
  (language) =>
    // A score just below zero is shown without a sign.
    new Intl.NumberFormat(language, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      signDisplay: "negative",
    }),
);

export interface PassageRanksProps {
  /** 0 to 1; null when nothing was searched. */
  score: number | null;
  vectorRank: number | null;
  vectorScore: number | null;
  textRank: number | null;
  textScore: number | null;
}

export function PassageRanks({ score, vectorRank, vectorScore, textRank, textScore }: PassageRanksProps) {
  const { t } = useTranslation("passages");
  return (
    <dl className="grid grid-cols-3 gap-x-4 text-xs tabular-nums">
      <Rank label={t("vector")} rank={vectorRank} value={vectorScore} />
      <Rank label={t("text")} rank={textRank} value={textScore} />
      <Rank label={t("score")} value={score} strong />
    </dl>
  );
}

function Rank(props: { label: string; rank?: number | null; value: number | null; strong?: boolean }) {
  const { label, rank, value, strong = false } = props;
  const { t, i18n } = useTranslation("passages");
  const number = scoreFormat(i18n.language);
  const missing = rank === null || value === null;
  return (
    <div className="min-w-0">
      <dt className="truncate text-muted">{label}</dt>
      <dd className="mt-0.5">
        <span className="flex flex-wrap justify-between gap-x-2">
          {missing ? (
            <span className="truncate text-muted">{t("notFound")}</span>
          ) : (
            <>
              <span className="font-medium">{rank === undefined ? "" : t("rank", { rank })}</span>
              <span className={strong ? "font-medium" : "text-muted"}>{number.format(value)}</span>
            </>
          )}
        </span>
        <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-pressed">
          <span
            className={`forced-color-adjust-none block h-full rounded-full ${strong ? "bg-accent" : "bg-accent/55"}`}
            style={{ width: missing ? 0 : `${Math.round(Math.max(0, Math.min(1, value)) * 100)}%` }}
          />
        </span>
      </dd>
    </div>
  );
}
