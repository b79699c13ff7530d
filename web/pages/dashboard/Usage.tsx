// Usage of the team's agents in the last 30 days: four figures and a bar per day.
import { useTranslation } from "#translations";
import { numberFormat, percentFormat, perLanguage } from "../../client/per-language.ts";
import { useRequest } from "../../render/render-context.tsx";
import { teamPath } from "../../request/current-team.ts";
import type { DashboardData } from "./+data.ts";

const changeFormat = perLanguage(
  (language) => new Intl.NumberFormat(language, { signDisplay: "exceptZero" }),
);

export function Usage({ insights }: { insights: NonNullable<DashboardData["insights"]> }) {
  const { t, i18n } = useTranslation("dashboard");
  const request = useRequest();
  const { total, previous, data: days } = insights;
  const number = numberFormat(i18n.language);
  const percent = percentFormat(i18n.language);
  const signed = changeFormat(i18n.language);
  const rated = total.up + total.down;
  const figures = [
    { key: "chats", value: number.format(total.chats), change: total.chats - previous.chats },
    { key: "messages", value: number.format(total.messages), change: total.messages - previous.messages },
    { key: "satisfied", value: rated > 0 ? percent.format(total.up / rated) : "–" },
    {
      key: "unanswered",
      value: number.format(total.unanswered),
      change: total.unanswered - previous.unanswered,
    },
  ];
  const most = Math.max(1, ...days.map(({ messages }) => messages));
  return (
    <section aria-labelledby="usage" className="mb-10">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id="usage" className="font-medium text-lg">
          {t("usage")}
        </h2>
        <a href={teamPath(request, "insights")} className="text-muted text-sm hover:text-ink hover:underline">
          {t("allInsights")}
        </a>
      </div>
      <div className="grid grid-cols-1 items-end gap-x-10 gap-y-4 border-line border-y py-5 lg:grid-cols-[3fr_2fr]">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
          {figures.map(({ key, value, change }) => (
            <div key={key}>
              <dt className="text-muted text-sm">{t(`insights:figure.${key}`)}</dt>
              <dd className="mt-0.5 font-semibold text-2xl tabular-nums">{value}</dd>
              <dd className="text-faint text-sm tabular-nums">
                {change === undefined
                  ? t("ratings", { count: rated })
                  : change === 0
                    ? t("unchanged")
                    : t("change", { change: signed.format(change) })}
              </dd>
            </div>
          ))}
        </dl>
        <div
          role="img"
          aria-label={t("perDay", { count: total.messages })}
          className="flex h-16 items-end gap-[3px] max-lg:hidden"
        >
          {days.map(({ date, messages }) => (
            <span
              key={date}
              className={`min-h-px flex-1 rounded-[1px] ${messages > 0 ? "bg-accent" : "bg-line"}`}
              style={{ height: `${Math.round((messages / most) * 100)}%` }}
            />
          ))}
        </div>
      </div>
    </section>
  );
}
