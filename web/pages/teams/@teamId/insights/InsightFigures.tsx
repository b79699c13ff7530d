// The period in six figures, each next to the previous period's.
import { ArrowDownRight, ArrowUpRight, Minus } from "lucide-react";
import { useTranslation } from "#translations";
import { numberFormat, percentFormat } from "#web/client/per-language.ts";
import { timeZoneName, useTimeZone } from "#web/client/time-zone.ts";
import type { Period } from "./+data.ts";
import { replyTime } from "./reply-time.ts";

/** Whether more is better; null when it is neither. */
const better: Record<string, boolean | null> = {
  chats: true,
  messages: null,
  visitors: true,
  satisfied: true,
  unanswered: false,
  reply: false,
  helped: true,
  silent: null,
  handovers: null,
};

/** The outcomes of chats, as far as they are known. */
const outcomes = ["helped", "silent", "handovers"] as const;

const satisfaction = ({ up, down }: Period) => (up + down > 0 ? up / (up + down) : null);

export function InsightFigures({ total, previous }: { total: Period; previous: Period }) {
  const { t, i18n } = useTranslation("insights");
  const whole = numberFormat(i18n.language).format;
  const percent = percentFormat(i18n.language).format;
  const figures = [
    { key: "chats", now: total.chats, before: previous.chats, format: whole },
    { key: "messages", now: total.messages, before: previous.messages, format: whole },
    { key: "visitors", now: total.visitors, before: previous.visitors, format: whole },
    { key: "satisfied", now: satisfaction(total), before: satisfaction(previous), format: percent },
    { key: "unanswered", now: total.unanswered, before: previous.unanswered, format: whole },
    {
      key: "reply",
      now: total.medianReplyMs,
      before: previous.medianReplyMs,
      format: replyTime(i18n.language),
    },
  ];
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeZone: "UTC" });
  const zone = timeZoneName(i18n.language, useTimeZone());
  const range = day.formatRange(new Date(previous.dateStart), new Date(previous.dateEnd));
  return (
    <section aria-label={t("figures")} className="mt-6 mb-10">
      <dl className="grid grid-cols-2 border-line border-y sm:grid-cols-3 xl:grid-cols-6">
        {figures.map(({ key, now, before, format }) => (
          <div key={key} className="px-4 py-4 max-sm:odd:pl-0 sm:max-xl:nth-[3n+1]:pl-0 xl:first:pl-0">
            <dt className="text-muted text-sm">{t(`figure.${key}`)}</dt>
            <dd className="mt-1 font-semibold text-2xl tabular-nums">{now === null ? "–" : format(now)}</dd>
            <dd className="mt-0.5 text-sm">
              <Change name={key} now={now} before={before} format={format} />
            </dd>
          </div>
        ))}
      </dl>
      <h2 className="mt-8 mb-3 font-medium text-lg">{t("outcome.title")}</h2>
      <dl className="grid grid-cols-2 border-line border-y sm:grid-cols-3">
        {outcomes.map((key) => (
          <div key={key} className="px-4 py-4 max-sm:odd:pl-0 sm:first:pl-0">
            <dt className="text-muted text-sm">{t(`outcome.${key}`)}</dt>
            <dd className="mt-1 font-semibold text-2xl tabular-nums">{whole(total[key])}</dd>
            <dd className="mt-0.5 text-sm">
              <Change name={key} now={total[key]} before={previous[key]} format={whole} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 max-w-2xl text-muted text-sm">{t("outcome.text")}</p>
      <p className="mt-2 text-faint text-sm">{t("compared", { range, zone })}</p>
    </section>
  );
}

interface ChangeProps {
  name: string;
  now: number | null;
  before: number | null;
  format: (value: number) => string;
}

function Change({ name, now, before, format }: ChangeProps) {
  const { t, i18n } = useTranslation("insights");
  if (now === null || before === null) return <span className="text-faint">{t("noCompare")}</span>;
  const rising = now > before;
  const Icon = now === before ? Minus : rising ? ArrowUpRight : ArrowDownRight;
  const good = better[name];
  const tone = now === before || good == null ? "text-muted" : rising === good ? "text-good" : "text-bad";
  const percent = new Intl.NumberFormat(i18n.language, {
    style: "percent",
    signDisplay: "exceptZero",
    maximumFractionDigits: 0,
  });
  return (
    <span className={`inline-flex items-center gap-1 ${tone}`} title={t("before", { value: format(before) })}>
      <Icon aria-hidden className="size-3.5" />
      {before === 0 || name === "satisfied"
        ? t("before", { value: format(before) })
        : percent.format(now / before - 1)}
    </span>
  );
}
