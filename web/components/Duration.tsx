// How long something took, in a reader's unit, in the page's language: "0.4 sec", "12 min", "3.5 hr".
import { useTranslation } from "react-i18next";

const units = [
  ["second", 1],
  ["minute", 60],
  ["hour", 3_600],
  ["day", 86_400],
] as const;

/** `from` and `to` are ISO 8601. */
export function Duration({ from, to }: { from: string; to: string }) {
  const { i18n } = useTranslation();
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
  const [unit, size] = units.findLast(([, size]) => seconds >= size) ?? units[0];
  const count = seconds / size;
  const format = new Intl.NumberFormat(i18n.language, {
    style: "unit",
    unit,
    maximumFractionDigits: count < 10 ? 1 : 0,
  });
  return <span className="whitespace-nowrap tabular-nums">{format.format(count)}</span>;
}
