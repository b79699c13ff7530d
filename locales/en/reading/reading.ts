// Owns the assembly of the English reading rules: how documents and questions are parsed without a language model.
import type { Reading } from "../../reading.ts";
import { asks } from "./asks.ts";
import { frequent } from "./frequent.ts";
import { numbers } from "./numbers.ts";
import { suggestions } from "./suggestions.ts";
import { tables } from "./tables.ts";

export const reading: Reading = {
  words: {
    little:
      "a about above after again against all also am an and any are as at be because been before being below between both but by can cannot could did do does doing done down during each etc every few for from further get had has have having he her here hers herself him himself his how i if in into is it its itself just let may me might more most must my myself no nor not now of off on once only or other our ours ourselves out over own per please s same shall she should so some such t tell than that the their theirs them themselves then there these they this those through to too under until up upon us very was we were what when where which while who whom whose why will with within without would won wouldn ve ll re m d don doesn didn isn aren wasn weren couldn shouldn haven hasn im ive dont doesnt didnt isnt cant wont whats hows wheres you your yours yourself yourselves",
    plurals: [
      [/(?<=..)ies$/, "y"],
      [/(?<=ss|x|ch|sh)es$/, ""],
      [/(?<=[^su])s$/, ""],
    ],
    again: /^re(?=[a-z]{4})/,
    endings: "ing ed ly e",
    opposites: "un",
    agent: /^(\p{L}{3,})ers?$/u,
    things: "car son ton",
    abbreviations:
      "mr mrs ms dr prof rev hon capt sr jr st vs etc approx dept inc ltd co corp bros p e.g i.e al ex",
    abbreviationsOfNumbers: "no nos fig figs vol pp sec tel ext ref art chap",
  },
  courtesies: {
    greetings: "hello hi hey morning afternoon evening",
    others:
      "good thanks thank thx cheers ok okay great fine nice super perfect cool bye goodbye welcome well",
  },
  followUps: {
    pointing:
      "it its they them their theirs this that these those he she him her his hers there one ones same other others another else former latter instead",
    notPointing:
      /\b(?:(?:is|are|was|were|will) there|there (?:is|are|was|were|will)|there['’]s|that (?:i|we|you|is|are|was|were|can|has|have)|it (?:takes?|costs?|(?:possible|allowed|permitted|necessary|mandatory|forbidden|okay|ok)) (?:me |us |you )?(?:to|that|if)|this (?:morning|afternoon|evening|week|month|year|summer|winter)|these days|no one|(?:each|one) other|one (?:hour|day|night|week|month|year|person)|same (?:day|time|hour))\b/,
    verbs:
      "am is are was were s be do does did can could may might must shall should will would has have had need needs whats hows wheres whos",
    goingOn: "and but or so then also why",
    asksOnward: /(?:what|how) about|what if|which (?:is|are|ones?)/,
    pointsBack:
      /it|they|them|this|these|that|those|she|he|both|others|such|the (?:others?|former|latter)|(?:[a-z]+ ){1,2}ones?/,
    concludes:
      /therefore|thus|hence|so|consequently|for (?:example|instance)|in (?:this|that) (?:case|example)/,
  },
  denials: {
    words: /\b(?:not|no|never|neither|nor|cannot|none|nothing|nobody)\b|n't\b/,
    idioms:
      /\b(?:no|not) (?:later|more|less|earlier|fewer) than\b|\bnot only\b|\bif not\b|\bwhether or not\b/,
    sentence: /\b(?:not|never|no(?!\. )|cannot|without|nobody|none)\b|n['’]t\b/,
    gap: /\b(?:found nothing|(?:could|can|did|do) ?(?:not|n['’]t) find|couldn['’]t find|cannot find|(?:not|isn['’]t|aren['’]t) (?:mentioned|specified|stated|covered|provided|given)|no (?:information|mention|details)|(?:do|does)(?: not|n['’]t) (?:mention|specify|state|say|cover|contain|provide)|closest (?:thing )?i found)\b/,
    unanswered: /\b(?:do|does)(?: not|n['’]t) (?:seem to )?answer\b/,
    noNames:
      "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december yes however please note both each only every there according additionally furthermore therefore",
  },
  dates: {
    months: [
      "january jan",
      "february feb",
      "march mar",
      "april apr",
      "may",
      "june jun",
      "july jul",
      "august aug",
      "september sept sep",
      "october oct",
      "november nov",
      "december dec",
    ],
    days: "monday tuesday wednesday thursday friday saturday sunday weekday weekend",
    seasons: "winter spring summer autumn",
    holidays: [
      [/boxing day/, "12-26"],
      [/christmas day/, "12-25"],
      [/christmas eve/, "12-24"],
      [/new year['’]?s eve/, "12-31"],
      [/new year['’]?s(?: day)?(?! eve)/, "01-01"],
      [/bastille day/, "07-14"],
    ],
    ordinals: /st|nd|rd|th/,
    ordinalWords: /first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last/,
    ordinalsBehindMonth: /st|nd|rd|th/,
    ofMonth: /of/,
  },
  numbers,
  asks,
  tables,
  suggestions,
  frequent,
  documents: {
    contents: /(?:table of )?contents/,
    toTop: /(?:back to )?top/,
    table: /table|tab\./,
    outdated: /old|outdated|obsolete|superseded|expired|previous|archived|draft/,
    current: /new|current|latest|final/,
    version: /v|version|rev|revision/,
    head: { writer: /from/, subject: /subject/, again: /re|fwd?/ },
    itself: /this (policy|document|page|handbook|guide|manual|procedure|charter|leaflet|notice|edition)/,
    issued:
      /(?:was|is|has been) (?:last )?(?:approved|adopted|issued|published|written|revised|reviewed|updated|signed)/,
    notFound: /not found/,
    needsScript: /enable javascript/,
    question: /Q|Question/,
    picture:
      /(?:(?:content|picture|image) placeholder|picture|image|graphic|photo|logo|icon|screenshot|chart|object)/,
    pictureGuess:
      /description automatically generated|ai-generated content may be incorrect|^a (?:picture|photo) (?:containing|that contains)/,
  },
  commands: { ask: /ask/, stop: /stop/ },
};
