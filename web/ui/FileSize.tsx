// Bytes in a readable unit and the page's language: "1.4 MB".
import { useTranslation } from "#translations";
import { perLanguage } from "../client/per-language.ts";

/** One per power of a thousand. */
const formats = ["byte", "kilobyte", "megabyte", "gigabyte"].map((unit) =>
  perLanguage(
    (language) =>
      new Intl.NumberFormat(language, {
        style: "unit",
        unit,
        unitDisplay: unit === "byte" ? "long" : "short",
        maximumFractionDigits: unit === "byte" ? 0 : 1,
      }),
  ),
);

export function sizeText(bytes: number, language: string): string {
  const power = Math.min(formats.length - 1, bytes > 0 ? Math.floor(Math.log10(bytes) / 3) : 0);
  return formats[power]?.(language).format(bytes / 1000 ** power) ?? "";
}

export function FileSize({ bytes }: { bytes: number }) {
  const { i18n } = useTranslation();
  return <span className="whitespace-nowrap tabular-nums">{sizeText(bytes, i18n.language)}</span>;
}
