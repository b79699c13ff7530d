// Owns the everyday words of all fields together: colloquial words with those that documents use. Data only, in English and French, like
// lexicon-words.ts. One line is one meaning. "boss gaffer / taulier > manager / directeur": a question with a word before the ">" matches
// a text with a word after it, but not the other way round; without a ">" all words of the line match one another. The words before a "/"
// are English, those after it French. Append new lines at the end of a file, and a new file at the end of a list.
import { askedLife, askedLifePhrases } from "./asked-life.ts";
import { askedPlaces, askedPlacesPhrases } from "./asked-places.ts";
import { askedPublic, askedPublicPhrases } from "./asked-public.ts";
import { askedTrade, askedTradePhrases } from "./asked-trade.ts";
import { askedWork, askedWorkPhrases } from "./asked-work.ts";
import { computing, computingPhrases } from "./computing.ts";
import { daily, dailyPhrases } from "./daily.ts";
import { families } from "./families.ts";
import { kinds, slang } from "./kinds.ts";
import { money, moneyPhrases } from "./money.ts";
import { pairs } from "./pairs.ts";
import { commonPairs } from "./pairs-common.ts";
import { homePairs } from "./pairs-home.ts";
import { outsidePairs } from "./pairs-outside.ts";
import { paraphrasePhrases, paraphrases } from "./paraphrases.ts";
import { people, peoplePhrases } from "./people.ts";
import { places, placesPhrases } from "./places.ts";
import { remote } from "./remote.ts";
import { remotePhrases } from "./remote-phrases.ts";
import { situationPhrases, situations } from "./situations.ts";
import { things, thingsPhrases } from "./things.ts";
import { turnPhrases, turns } from "./turns.ts";
import { work, workPhrases } from "./work.ts";

/** Lines that find a sentence and never make a reply sure of it. */
export const paraphraseMeanings = [
  daily,
  situations,
  paraphrases,
  turns,
  askedWork,
  askedTrade,
  askedPlaces,
  askedPublic,
  askedLife,
].join("\n");

/** Remote lines are read for a word that stands in no passage and has no synonym there: they improve a reply that is unsure already. */
export const remoteMeanings = [remote, kinds, slang].join("\n");

export const fieldMeanings = [
  work,
  money,
  places,
  people,
  computing,
  things,
  families,
  pairs,
  homePairs,
  outsidePairs,
  commonPairs,
  paraphraseMeanings,
  remoteMeanings,
].join("\n");

/** Phrases with one meaning, each with the word that replaces it. */
export const fieldPhrases = [
  workPhrases,
  moneyPhrases,
  placesPhrases,
  peoplePhrases,
  computingPhrases,
  thingsPhrases,
  dailyPhrases,
  situationPhrases,
  paraphrasePhrases,
  turnPhrases,
  remotePhrases,
  askedWorkPhrases,
  askedTradePhrases,
  askedPlacesPhrases,
  askedPublicPhrases,
  askedLifePhrases,
].join("\n");
