// Owns the list of languages, one line each, in the order of the language menu. The first, English, is the default, and replaces
// missing texts of the others.
import { en } from "./en/language.ts";
import { fr } from "./fr/language.ts";
import type { Language } from "./language.ts";

export const languages = [en, fr] as const satisfies readonly Language[];
