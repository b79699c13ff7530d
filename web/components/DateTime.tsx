// A moment, in the page's language: "3 minutes ago" while it is near, a date after; the full moment on hover.
import { useTranslation } from "#translations";
import { perLanguage } from "../browser/per-language.ts";

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["minute", 60],
  ["hour", 3_600],
  ["day", 86_400],
];
const NEAR_S = 7 * 86_400;

const fullFormat = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }),
);
const dayFormat = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }),
);
const relativeFormat = perLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));

/** `value` is ISO 8601. Dates are written in UTC, as the server does not know the reader's zone. */
export function DateTime({ value }: { value: string }) {
  const { i18n } = useTranslation();
  const date = new Date(value);
  const seconds = (date.getTime() - Date.now()) / 1000;
  const full = fullFormat(i18n.language).format(date);
  return (
    // A minute may have passed between the server and the browser.
    <time dateTime={value} title={`${full} UTC`} className="whitespace-nowrap" suppressHydrationWarning>
      {Math.abs(seconds) < NEAR_S ? relative(seconds, i18n.language) : dayFormat(i18n.language).format(date)}
    </time>
  );
}

function relative(seconds: number, language: string): string {
  const format = relativeFormat(language);
  const [unit, size] = STEPS.findLast(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  // Nobody needs "17 seconds ago" in a list.
  return unit === "second" ? format.format(0, "second") : format.format(Math.trunc(seconds / size), unit);
}
