// The languages of screens and messages, one line each, in the order in which people choose. English comes first: it is spoken where
// nobody has chosen, and where another language lacks a word.
import { en } from "./en/language.ts";
import { fr } from "./fr/language.ts";
import type { Language } from "./language.ts";

export const languages = [en, fr] as const satisfies readonly Language[];
