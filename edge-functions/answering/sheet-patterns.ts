// Owns how patterns for questions over sheets are built from the rules of all declared languages. Pure.
import type { TableReading } from "../../locales/table-reading.ts";
import { either, wordList } from "../_shared/language/rules.ts";

/** Builds a pattern from all languages with rules for tables. */
type Picked = (tables: TableReading) => RegExp;
export const ofTables = (pick: Picked) => either(({ tables }) => tables && pick(tables));
export const whole = (pick: Picked) => new RegExp(ofTables(pick), "iu");
export const inside = (before: string, pick: Picked, behind: string) =>
  new RegExp(`${before}${ofTables(pick)}${behind}`, "iu");
export const columnWords = (name: keyof TableReading["columns"]) =>
  wordList(({ tables }) => tables?.columns[name]).join(" ");
