// A moment in the page's language and the reader's time zone: relative when recent ("3 minutes ago"), else a date; the
// full date and time on hover.
import { useTranslation } from "#translations";
import { perLanguage, perReader } from "../client/per-language.ts";
import { useTimeZone } from "../client/time-zone.ts";

const NEAR_S = 7 * 86_400;

const fullFormat = perReader(
  (language, timeZone) =>
    new Intl.DateTimeFormat(language, {
      day: "numeric",
      month: "long",
      year: "numeric",
      hour: "numeric",
      minute: "2-digit",
      timeZoneName: "short",
      timeZone,
    }),
);
const dayFormat = perReader(
  (language, timeZone) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone }),
);
const relativeIn = (style: "long" | "short") =>
  perLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: "auto", style }));
const [longFormat, shortFormat] = [relativeIn("long"), relativeIn("short")];

/** `value` is ISO 8601; `isShort` writes "3 min. ago". */
export function DateTime({ value, isShort = false }: { value: string; isShort?: boolean }) {
  const { i18n } = useTranslation();
  const timeZone = useTimeZone();
  const date = new Date(value);
  const seconds = (date.getTime() - Date.now()) / 1000;
  const full = fullFormat(i18n.language, timeZone).format(date);
  return (
    // A minute may have passed between the server's render and hydration.
    <time dateTime={value} title={full} className="whitespace-nowrap" suppressHydrationWarning>
      {Math.abs(seconds) < NEAR_S
        ? relative(seconds, (isShort ? shortFormat : longFormat)(i18n.language))
        : dayFormat(i18n.language, timeZone).format(date)}
    </time>
  );
}

/** Rounded: a link that is valid for 24 hours says so a moment later, too. */
function relative(seconds: number, format: Intl.RelativeTimeFormat): string {
  const [minutes, hours, days] = [60, 3_600, 86_400].map((size) => Math.round(seconds / size)) as [
    number,
    number,
    number,
  ];
  // A list does not need seconds.
  if (minutes === 0) return format.format(0, "second");
  if (Math.abs(minutes) < 60) return format.format(minutes, "minute");
  return Math.abs(hours) <= 24 ? format.format(hours, "hour") : format.format(days, "day");
}
