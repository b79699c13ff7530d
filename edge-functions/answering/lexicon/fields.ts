// Owns the everyday words of all fields together: how people say what documents write. Data only, in English and French, beside
// lexicon-words.ts. One line is one meaning. "boss gaffer / taulier > manager / directeur": who asks in the words before the ">" may be
// told in those behind it, and not the other way round; without one, all words of the line stand for one another. The words before a
// "/" are English, those behind it French. New lines go to the end of a file, and a new file goes to the end of this one.
import { computing, computingPhrases } from "./computing.ts";
import { money, moneyPhrases } from "./money.ts";
import { people, peoplePhrases } from "./people.ts";
import { places, placesPhrases } from "./places.ts";
import { work, workPhrases } from "./work.ts";

export const fieldMeanings = [work, money, places, people, computing].join("\n");

/** Phrases that mean one thing, and the word that stands for them. */
export const fieldPhrases = [workPhrases, moneyPhrases, placesPhrases, peoplePhrases, computingPhrases].join(
  "\n",
);
