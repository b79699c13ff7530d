// Owns whether a sentence speaks of what is asked without telling it: a code that is secret, a distance for a depth, who is there now for
// who was there before. Does not weigh words.

import { either } from "../../../edge-functions/_shared/language/rules.ts";
import { standIns } from "../../../edge-functions/answering/lexicon.ts";
import { fold, stem, words } from "../../../edge-functions/answering/words.ts";
import type { Asked } from "./question.ts";
import type { Unit } from "./reading.ts";

const withheld = new RegExp(
  String.raw`(?<!\p{L})(\p{L}{2,40})\s+${either(({ asks }) => asks?.answers.withheld)}(?!\p{L})`,
  "giu",
);

/** True for a sentence that says of the thing in question that it is not told: "the PIN is known to the driver only". */
export function isWithheld({ text, cells }: Unit, { kind, terms }: Asked): boolean {
  if (cells || kind === "yesNo" || kind === "who") return false;
  return [...text.matchAll(withheld)].some(([, thing = ""]) => {
    const said = new Set(words(fold(thing)).map(stem));
    return terms.some((term) => standIns(term, said).size > 0);
  });
}

const earlier = new RegExp(
  String.raw`(?<!\p{L})${either(({ asks }) => asks?.predecessor?.asked)}\s+(?=\p{Lu})`,
  "u",
);
const tellsEarlier = new RegExp(
  String.raw`(?<!\p{L})${either(({ asks }) => asks?.predecessor?.told)}(?!\p{L})`,
  "iu",
);

/** False for a sentence that tells of nobody's succession, when the question is who came before somebody. */
export const tellsPredecessor = ({ text, cells }: Unit, { kind, last }: Asked) =>
  kind !== "who" || cells !== undefined || !earlier.test(last) || tellsEarlier.test(text);
