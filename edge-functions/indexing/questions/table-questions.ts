// Owns which question a row of a table answers: one of its values, by the row's name and the column's. Pure.
import { type Language, languageOf, words } from "../../answering/words.ts";
import type { Asked, Table } from "./candidate.ts";

const names =
  /^(?:name|article|product|item|model|description|title|service|plan|subject|nom|produit|modèle|désignation|libellé|intitulé|prestation|offre|atelier)$/iu;
/** Columns that people ask for, by their first word; in French with the gender that the question has to know. */
const asked: Record<Language, Record<string, "m" | "f">> = {
  en: Object.fromEntries(
    "price cost fee rate amount salary deadline phone warranty duration capacity weight range"
      .split(" ")
      .map((one) => [one, "m"]),
  ),
  fr: {
    prix: "m",
    tarif: "m",
    montant: "m",
    cout: "m",
    delai: "m",
    telephone: "m",
    poids: "m",
    salaire: "m",
    duree: "f",
    garantie: "f",
    capacite: "f",
    autonomie: "f",
  },
};

/** At most one question for each of the first rows, a different column for each where there are several. */
export function questionsOfTable({ columns, rows }: Table): Asked[] {
  const language = languageOf([columns.join(" "), ...rows.map((row) => row.join(" "))].join(" "));
  const named = nameColumn(columns, rows);
  const valued = columns.flatMap((name, at) => (at !== named && labelOf(name, language) ? [at] : []));
  if (named < 0 || valued.length === 0) return [];
  return rows.flatMap((row, at) => {
    const column = valued[at % valued.length] ?? -1;
    const label = labelOf(columns[column] ?? "", language);
    const [name = "", fact = ""] = [row[named]?.trim(), row[column]?.trim()];
    if (!label || !fact || !isName(name) || rows.filter((other) => other[named]?.trim() === name).length > 1)
      return [];
    return [
      { question: language === "fr" ? inFrench(label, name) : `What is the ${label} of ${name}?`, fact },
    ];
  });
}

const isName = (name: string): boolean => /\p{L}{3}/u.test(name) && name.length >= 3 && name.length <= 60;

/** The column that the rows are called by: one that says so, else the first whose values are names, each its own. */
function nameColumn(columns: string[], rows: string[][]): number {
  const holdsNames = (at: number) => {
    const values = rows.map((row) => row[at]?.trim() ?? "");
    return values.length > 0 && values.every(isName) && new Set(values).size === values.length;
  };
  const said = columns.findIndex((column, at) => names.test(column.trim()) && holdsNames(at));
  return said >= 0 ? said : columns.findIndex((_, at) => holdsNames(at));
}

/** "Unit price EUR" as "unit price"; undefined for a column that nobody asks for by name. */
function labelOf(column: string, language: Language): string | undefined {
  const label = column
    .replace(/\([^)]*\)|\[[^\]]*\]/g, "")
    .replace(/\b(?:EUR|USD|GBP|CHF|kg|km|cm|mm|years?|days?|months?|ans|jours|mois)\b|[€$£%]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  const said = words(label);
  const head = language === "fr" ? said[0] : said.at(-1);
  if (said.length === 0 || said.length > 3 || !head || !asked[language][head]) return;
  return label.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());
}

function inFrench(label: string, name: string): string {
  const isFeminine = asked.fr[words(label)[0] ?? ""] === "f";
  return `${isFeminine ? "Quelle est la" : "Quel est le"} ${label} de « ${name} » ?`;
}
