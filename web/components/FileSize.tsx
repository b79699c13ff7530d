// Bytes in a reader's unit, in the page's language: "1.4 MB".
import { useTranslation } from "react-i18next";

const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

export function FileSize({ bytes }: { bytes: number }) {
  const { i18n } = useTranslation();
  const power = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log10(bytes) / 3) : 0);
  const format = new Intl.NumberFormat(i18n.language, {
    style: "unit",
    unit: units[power],
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  });
  return <span className="whitespace-nowrap tabular-nums">{format.format(bytes / 1000 ** power)}</span>;
}
