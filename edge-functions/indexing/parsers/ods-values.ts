// Owns how a cell of an OpenDocument spreadsheet is read: its text as displayed, with figures, dates and times in the form that workbooks
// get, since "1.234" and "03/04/2026" mean different things in different languages. Pure.
import { formatNumber } from "./xlsx-numbers.ts";
import { formatUnit } from "./xlsx-units.ts";

/** @param shown the displayed text */
export function odsValue(shown: string, attributes: Record<string, string>): string {
  const text = shown.trim();
  switch (attributes["office:value-type"]) {
    case "float":
    case "currency":
      return figureOf(text, attributes["office:value"] ?? "");
    case "percentage":
      return formatNumber(attributes["office:value"] ?? text, "percent", false);
    case "date":
      return dateOf(attributes["office:date-value"] ?? "") ?? text;
    case "time":
      return timeOf(attributes["office:time-value"] ?? "") ?? text;
    case "boolean":
      return (attributes["office:boolean-value"] ?? text).toUpperCase();
    default:
      return text || (attributes["office:string-value"] ?? "");
  }
}

/** A number with what stands around it; a text that shows another number than the stored one stays as it is. */
function figureOf(text: string, raw: string): string {
  const plain = formatNumber(raw, "number", false);
  if (text === "") return plain;
  const [, before, figure = "", after] = /^(\D*)(\d(?:[\d.,'’\s]*\d)?)(\D*)$/.exec(text.slice(0, 200)) ?? [];
  const value = Number(raw);
  if (raw.trim() === "" || before === undefined || after === undefined || !shows(figure, Math.abs(value)))
    return text;
  const words = { before: before.replace(/^\s*[-−]/, ""), after };
  if (`${words.before}${words.after}`.trim() === "" && !/^0\d/.test(figure)) return plain;
  if (/^0\d/.test(figure)) return text;
  return formatUnit(value, [{ ...words, decimals: decimalsOf(figure, Math.abs(value)) }]) ?? text;
}

/** True if the figure is the value, as rounded as it is displayed. */
function shows(figure: string, value: number): boolean {
  const decimals = decimalsOf(figure, value);
  const digits = figure.replace(/\D/g, "");
  return Math.abs(Number(digits) / 10 ** decimals - value) <= 0.5001 / 10 ** decimals;
}

/** The digits behind the last sign, unless only all digits together make the value. */
function decimalsOf(figure: string, value: number): number {
  const last = /[.,](\d+)$/.exec(figure)?.[1]?.length ?? 0;
  const whole = Number(figure.replace(/\D/g, ""));
  return last > 0 && Math.abs(whole - value) > 0.5001 ? last : 0;
}

/** "2026-04-03", "2026-04-03T14:05:00" */
function dateOf(value: string): string | undefined {
  const [, date, time] = /^(-?\d{4,6}-\d\d-\d\d)(?:T(\d\d:\d\d))?/.exec(value) ?? [];
  return date && (time && time !== "00:00" ? `${date} ${time}` : date);
}

/** "PT26H30M00S" */
function timeOf(value: string): string | undefined {
  const [, sign = "", hours, minutes, seconds] =
    /^(-?)PT(\d{1,6})H(\d{1,2})M(\d{1,2})(?:[.,]\d*)?S$/.exec(value) ?? [];
  if (!hours || !minutes || !seconds) return undefined;
  const two = (text: string) => text.padStart(2, "0");
  return `${sign}${two(hours)}:${two(minutes)}${Number(seconds) > 0 ? `:${two(seconds)}` : ""}`;
}
