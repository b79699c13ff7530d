// The figures over time, one chart per question about them.
import { useTranslation } from "#translations";
import { numberFormat } from "#web/client/per-language.ts";
import { Chart } from "#web/ui/charts/Chart.tsx";
import type { Group, Period, Row } from "./+data.ts";
import { REPLY_TICK_MS, replyTime } from "./reply-time.ts";

export interface InsightChartsProps {
  rows: Row[];
  total: Period;
  group: Group;
}

export function InsightCharts({ rows, total, group }: InsightChartsProps) {
  const { t, i18n } = useTranslation("insights");
  const number = numberFormat(i18n.language).format;
  const seconds = replyTime(i18n.language);
  const day = new Intl.DateTimeFormat(i18n.language, {
    timeZone: "UTC",
    ...(group === "month" ? { month: "short", year: "numeric" } : { day: "numeric", month: "short" }),
    // Without the year, dates of two years would share labels.
    ...(rows.length > 1 && rows[0]?.date.slice(0, 4) !== rows.at(-1)?.date.slice(0, 4)
      ? { year: "2-digit" }
      : {}),
  });
  const shared = { across: t(`group.${group}`), labels: rows.map(({ date }) => day.format(new Date(date))) };
  const of = (name: Exclude<keyof Row, "date">) => rows.map((row) => row[name]);
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-2">
      <Chart
        {...shared}
        title={t("chart.chats")}
        summary={t("summary.chats", { count: total.chats })}
        series={[{ label: t("figure.chats"), values: of("chats") }]}
        format={number}
      />
      <Chart
        {...shared}
        title={t("chart.visitors")}
        summary={t("summary.visitors", { count: total.visitors })}
        series={[{ label: t("figure.visitors"), values: of("visitors") }]}
        format={number}
      />
      <Chart
        {...shared}
        title={t("chart.feedback")}
        summary={t("summary.feedback", { up: number(total.up), down: number(total.down) })}
        series={[
          { label: t("chart.up"), values: of("up"), tone: "good" },
          { label: t("chart.down"), values: of("down"), tone: "bad" },
        ]}
        format={number}
      />
      <Chart
        {...shared}
        title={t("chart.unanswered")}
        summary={t("summary.unanswered", { count: total.unanswered })}
        series={[{ label: t("figure.unanswered"), values: of("unanswered"), tone: "careful" }]}
        format={number}
      />
      <Chart
        {...shared}
        kind="line"
        unit={REPLY_TICK_MS}
        title={t("chart.reply")}
        summary={
          total.medianReplyMs === null
            ? t("summary.noReply")
            : t("summary.reply", { time: seconds(total.medianReplyMs) })
        }
        series={[{ label: t("figure.reply"), values: of("medianReplyMs") }]}
        format={seconds}
      />
      <Chart
        {...shared}
        title={t("chart.messages")}
        summary={t("summary.messages", { count: total.messages })}
        series={[{ label: t("figure.messages"), values: of("messages") }]}
        format={number}
      />
    </div>
  );
}
