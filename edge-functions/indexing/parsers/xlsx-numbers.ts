// Reads a workbook's cell styles and formats its numbers: dates, times, percentages, units such as currencies, and leading zeros. The number of digits is ignored.
import type { Archive } from "./archive.ts";
import type { CellLook } from "./table-groups.ts";
import { formatUnit, type Unit, unitsOf } from "./xlsx-units.ts";
import { readXml } from "./xml.ts";

export type NumberFormat = "date" | "time" | "date and time" | "elapsed" | "percent" | "number" | Unit[];

/** The formats without a code in the file (ECMA-376, part 1, 18.8.30). */
function builtInFormat(id: number): NumberFormat {
  if (id === 9 || id === 10) return "percent";
  if (id === 22) return "date and time";
  if (id === 46) return "elapsed";
  if ((id >= 18 && id <= 21) || id === 45 || id === 47) return "time";
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return "date";
  return "number";
}

export interface CellStyle {
  format: NumberFormat;
  look: CellLook;
}

/** Every cell style, by its index. */
export async function cellStyles(archive: Archive, part: string): Promise<CellStyle[]> {
  const codes = new Map<number, string>();
  const boldFonts: boolean[] = [];
  const styles: CellStyle[] = [];
  let isIn = "";
  await readXml(archive, part, {
    open(tag, { numFmtId, formatCode, fontId, val, indent }) {
      const id = Number(numFmtId);
      if (tag === "numFmt" && formatCode) codes.set(id, formatCode);
      if (tag === "cellXfs" || tag === "fonts") isIn = tag;
      if (isIn === "fonts" && tag === "font") boldFonts.push(false);
      if (isIn === "fonts" && tag === "b") boldFonts[boldFonts.length - 1] = !/^(?:0|false)$/.test(val ?? "");
      if (isIn !== "cellXfs") return;
      const last = styles.at(-1);
      if (tag === "alignment" && last) last.look = { ...last.look, indent: Number(indent) || 0 };
      if (tag !== "xf") return;
      const code = codes.get(id);
      styles.push({
        format: code === undefined ? builtInFormat(id) : formatOf(code),
        look: { isBold: boldFonts[Number(fontId)] ?? false, indent: 0 },
      });
    },
    close(tag) {
      if (tag === isIn) isIn = "";
    },
  });
  return styles;
}

/** The kind of a format code (ECMA-376, part 1, 18.8.31), by its first section. */
export function formatOf(code: string): NumberFormat {
  const bare = (code.slice(0, 255).split(";")[0] ?? "").replace(/"[^"]*"?|\\.|_.|\*./g, "");
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return "elapsed";
  const marks = bare.replace(/\[[^\]]*\]/g, "").replace(/general/i, "");
  const hasTime = /[hs]|am?\/pm?/i.test(marks);
  const hasDate = /[yd]/i.test(marks) || (/m/i.test(marks) && !hasTime);
  if (hasDate) return hasTime ? "date and time" : "date";
  if (hasTime) return "time";
  return marks.includes("%") ? "percent" : (unitsOf(code) ?? "number");
}

const dayMs = 86_400_000;

/** A stored number as people read it: "12.5%", "26:30", "2026-07-31 14:05". */
export function formatNumber(raw: string, format: NumberFormat | undefined, since1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === "" || !Number.isFinite(value)) return raw;
  if (Array.isArray(format)) return formatUnit(value, format) ?? roundToShown(value);
  switch (format) {
    case "percent":
      return `${roundToShown(value * 100)}%`;
    case "elapsed":
      return clock(Math.round(value * 86_400));
    case "time":
      return clock(Math.round((value - Math.floor(value)) * 86_400) % 86_400);
    case "date":
    case "date and time": {
      const moment = momentOf(value, since1904);
      if (!moment) return roundToShown(value);
      const iso = moment.toISOString();
      return format === "date" ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
    }
    default:
      return roundToShown(value);
  }
}

/** Counts days since 1899-12-30, because the 1900 calendar includes a 29 February 1900, which did not exist; or since 1904-01-01. */
function momentOf(value: number, since1904: boolean): Date | undefined {
  if (value < 0 || value >= 2_958_466) return undefined;
  const start = since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30);
  return new Date(start + Math.round(value * dayMs));
}

function clock(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, "0");
  const minutes = Math.floor(Math.abs(seconds) / 60);
  const rest = Math.abs(seconds) % 60;
  const sign = seconds < 0 ? "-" : "";
  return `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}${rest > 0 ? `:${two(rest)}` : ""}`;
}

/** Removes the noise of binary fractions: 15 digits, as Excel stores them. */
function roundToShown(value: number): string {
  return String(Number(value.toPrecision(15)));
}
