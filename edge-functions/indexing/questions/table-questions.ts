// Owns which question a table row answers: one value, named by its row and column. Pure.
import type { Suggestions } from "../../../locales/reading.ts";
import { either, readingOf } from "../../_shared/language/rules.ts";
import { languageOf, words } from "../../answering/words.ts";
import type { Asked, Table } from "./candidate.ts";

const names = new RegExp(`^${either(({ suggestions }) => suggestions?.rows.names)}$`, "iu");
const units = new RegExp(
  String.raw`\b(?:EUR|USD|GBP|CHF|kg|km|cm|mm|${either(({ suggestions }) => suggestions?.rows.units)})\b|[€$£%]`,
  "gu",
);

/** At most one question for each of the first rows, about a different column each if there are several. */
export function questionsOfTable({ columns, rows }: Table): Asked[] {
  const language = languageOf([columns.join(" "), ...rows.map((row) => row.join(" "))].join(" "));
  const own = readingOf(language)?.suggestions?.rows;
  if (!own) return [];
  const named = nameColumn(columns, rows);
  const valued = columns.flatMap((name, at) => (at !== named && labelOf(name, own) ? [at] : []));
  if (named < 0 || valued.length === 0) return [];
  return rows.flatMap((row, at) => {
    const column = valued[at % valued.length] ?? -1;
    const asked = labelOf(columns[column] ?? "", own);
    const [name = "", fact = ""] = [row[named]?.trim(), row[column]?.trim()];
    if (!asked || !fact || !isName(name) || rows.filter((other) => other[named]?.trim() === name).length > 1)
      return [];
    return [{ question: own.ask(asked.label, name, asked.noun), fact }];
  });
}

const isName = (name: string): boolean => /\p{L}{3}/u.test(name) && name.length >= 3 && name.length <= 60;

/** The column that names the rows: one with a naming header, otherwise the first whose values are unique names. */
function nameColumn(columns: string[], rows: string[][]): number {
  const holdsNames = (at: number) => {
    const values = rows.map((row) => row[at]?.trim() ?? "");
    return values.length > 0 && values.every(isName) && new Set(values).size === values.length;
  };
  const said = columns.findIndex((column, at) => names.test(column.trim()) && holdsNames(at));
  return said >= 0 ? said : columns.findIndex((_, at) => holdsNames(at));
}

/** "Unit price EUR" as "unit price", with its article. Undefined for a column that people do not ask for by name. */
function labelOf(
  column: string,
  { columns, isNounFirst }: Suggestions["rows"],
): { label: string; noun: string } | undefined {
  const label = column
    .replace(/\([^)]*\)|\[[^\]]*\]/g, "")
    .replace(units, "")
    .replace(/\s+/g, " ")
    .trim();
  const said = words(label);
  const noun = isNounFirst ? said[0] : said.at(-1);
  if (said.length === 0 || said.length > 3 || !noun || !columns.split(" ").includes(noun)) return;
  return { label: label.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase()), noun };
}
