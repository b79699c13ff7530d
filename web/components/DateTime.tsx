// A moment, in the page's language and the reader's zone: "3 minutes ago" while it is near, a date after; the full moment on hover.
import { useTranslation } from "#translations";
import { perLanguage, perReader } from "../browser/per-language.ts";
import { useTimeZone } from "../browser/time-zone.ts";

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["minute", 60],
  ["hour", 3_600],
  ["day", 86_400],
];
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
const relativeFormat = perLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));

/** `value` is ISO 8601. */
export function DateTime({ value }: { value: string }) {
  const { i18n } = useTranslation();
  const timeZone = useTimeZone();
  const date = new Date(value);
  const seconds = (date.getTime() - Date.now()) / 1000;
  const full = fullFormat(i18n.language, timeZone).format(date);
  return (
    // A minute may have passed between the server and the browser.
    <time dateTime={value} title={full} className="whitespace-nowrap" suppressHydrationWarning>
      {Math.abs(seconds) < NEAR_S
        ? relative(seconds, i18n.language)
        : dayFormat(i18n.language, timeZone).format(date)}
    </time>
  );
}

function relative(seconds: number, language: string): string {
  const format = relativeFormat(language);
  const [unit, size] = STEPS.findLast(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  // Nobody needs "17 seconds ago" in a list.
  return unit === "second" ? format.format(0, "second") : format.format(Math.trunc(seconds / size), unit);
}
