// Owns which editions of a document are outdated, by titles that differ in their year, version or a word such as "old". It reads the clock.
import { either } from "../_shared/language/rules.ts";
import { fold, withoutMeasure } from "./words.ts";

const among = (source: string) => new RegExp(`(?<![a-z0-9])${source}(?![a-z0-9])`, "gu");
const outdated = among(either(({ documents }) => documents?.outdated));
const current = among(either(({ documents }) => documents?.current));
const version = among(String.raw`${either(({ documents }) => documents?.version)}[ ._-]?(\d{1,3})`);
const year = among(String.raw`((?:19|20)\d\d)`);
/** A record of one day or month stays true when the next one is written: "minutes 2026-03". */
const dated =
  /(?<!\d)(?:19|20)\d\d[-_. ]?(?:0[1-9]|1[0-2])(?!\d)|(?<!\d)\d{1,2}[-_. ]\d{1,2}[-_. ](?:19|20)?\d\d(?!\d)/;

/** The title without what tells editions apart, and the rank of this edition: a later one has a higher number in the first that differs. */
type Edition = {
  of: string;
  /** Also true for one that is not valid yet. */
  isOutdated: boolean;
  year: number;
  version: number;
};

function editionOf(title: string, thisYear: number): Edition | undefined {
  const name = fold(title).replace(/\.[a-z0-9]{1,5}$/, "");
  if (dated.test(name)) return undefined;
  const numbersOf = (pattern: RegExp) => [...name.matchAll(pattern)].map(([, number]) => Number(number));
  // "2026-2027" begins in the first of its years.
  const [from = 0] = numbersOf(year);
  const of = [outdated, current, version, year]
    .reduce((rest, pattern) => rest.replace(pattern, " "), name)
    .match(/[\p{L}\p{N}]+/gu);
  if (!of) return undefined;
  return {
    of: of.join(" "),
    isOutdated: isIn(name, outdated) || from > thisYear,
    year: from,
    version: numbersOf(version).at(-1) ?? 0,
  };
}

const isIn = (text: string, pattern: RegExp) => text.search(pattern) >= 0;

function isBefore(one: Edition, other: Edition): boolean {
  if (one.of !== other.of) return false;
  if (one.isOutdated !== other.isOutdated) return one.isOutdated;
  if (one.year !== other.year) return one.year > 0 && other.year > 0 && one.year < other.year;
  return one.version > 0 && one.version < other.version;
}

/**
 * Of these documents, those of which another one is a later edition, each with the title of that one: "prices-2024.csv" beside
 * "prices-2026.csv". None when the question names a year or an edition, since it may mean that one. Next year's is not valid yet.
 */
export function outdatedAmong(
  question: string,
  titles: Iterable<string>,
  thisYear = new Date().getFullYear(),
): Map<string, string> {
  // "How old" asks for no old edition.
  const asked = fold(withoutMeasure(question));
  if ([year, outdated, version].some((pattern) => isIn(asked, pattern))) return new Map();
  const editions = [...new Set(titles)].flatMap((title) => {
    const edition = editionOf(title, thisYear);
    return edition ? [{ title, edition }] : [];
  });
  const isCurrent = (one: Edition) => !editions.some((other) => isBefore(one, other.edition));
  return new Map(
    editions.flatMap(({ title, edition }): [string, string][] => {
      const later = editions.find((other) => isBefore(edition, other.edition) && isCurrent(other.edition));
      return later ? [[title, later.title]] : [];
    }),
  );
}
