// A duration in a readable unit and the page's language: "0.4 sec", "12 min", "3.5 hr".
import { useTranslation } from "#translations";
import { perLanguage } from "../client/per-language.ts";

const formatsOf = (unit: string) => {
  const format = (maximumFractionDigits: number) =>
    perLanguage(
      (language) => new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits }),
    );
  return { few: format(1), many: format(0) };
};

const units = [
  { seconds: 1, ...formatsOf("second") },
  { seconds: 60, ...formatsOf("minute") },
  { seconds: 3_600, ...formatsOf("hour") },
  { seconds: 86_400, ...formatsOf("day") },
] as const;

/** `from` and `to` are ISO 8601. */
export function Duration({ from, to }: { from: string; to: string }) {
  const { i18n } = useTranslation();
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
  const unit = units.findLast((one) => seconds >= one.seconds) ?? units[0];
  const count = seconds / unit.seconds;
  const format = (count < 10 ? unit.few : unit.many)(i18n.language);
  return <span className="whitespace-nowrap tabular-nums">{format.format(count)}</span>;
}
