// A moment, in the page's language: "3 minutes ago" while it is near, a date after; the full moment on hover.
import { useTranslation } from "react-i18next";

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["minute", 60],
  ["hour", 3_600],
  ["day", 86_400],
];
const NEAR_S = 7 * 86_400;

/** `value` is ISO 8601. Dates are written in UTC, as the server does not know the reader's zone. */
export function DateTime({ value }: { value: string }) {
  const { i18n } = useTranslation();
  const date = new Date(value);
  const seconds = (date.getTime() - Date.now()) / 1000;
  const full = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return (
    <time dateTime={value} title={`${full.format(date)} UTC`} className="whitespace-nowrap">
      {Math.abs(seconds) < NEAR_S ? relative(seconds, i18n.language) : day(date, i18n.language)}
    </time>
  );
}

function day(date: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(date);
}

function relative(seconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const [unit, size] = STEPS.findLast(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  // Nobody needs "17 seconds ago" in a list.
  return unit === "second" ? format.format(0, "second") : format.format(Math.trunc(seconds / size), unit);
}
