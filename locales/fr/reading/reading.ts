// Owns the assembly of the French reading rules: how documents and questions are parsed without a language model.
import type { Reading } from "../../reading.ts";
import { asks } from "./asks.ts";
import { frequent } from "./frequent.ts";
import { numbers } from "./numbers.ts";
import { suggestions } from "./suggestions.ts";
import { tables } from "./tables.ts";

export const reading: Reading = {
  words: {
    little:
      "ai aie ait alors apres as au aucun aucune aussi autre autres aux avant avec avez avoir avons c ca car ce ceci cest cela celle celles celui ci cet cette ces ceux chaque chez combien comme comment d dans de depuis des dire dois doit doivent donc dont du elle elles en encore entre est et etaient etait ete etes etre eu eux fait faire faut font il ils j jai je l la le les leur leurs lors lorsque lui m ma mais me meme memes mes mon n ne ni nos notre nous on ont or ou par parce pas peu peut peuvent peux plus plusieurs pour pourquoi pouvez qu quand quest que quel quelle quelles quels qui quoi s sa sans se sera serait ses si soit sommes son sont sous suis sur t ta te tes toi ton tous tout toute toutes tres tu un une va vers voici voila vont vos votre vous y",
    letters: /[àâçéèêëîïôœùûÿ]/,
    plurals: [
      [/(?<=..)eaux$/, "eau"],
      [/(?<=...)aux$/, "al"],
      [/(?<=[^su])s$/, ""],
    ],
    // "Salariés" is no plural of "salary".
    accented: [[/(?<=\p{L}i)é(?:es?|s)(?!\p{L})/u, "é"]],
    feminines: [
      [/tric$/, "teur"],
      [/eus$/, "eur"],
      [/eff$/, "ef"],
    ],
    again: /^re(?=[a-z]{4})/,
    endings: "ement er ez e",
    verbEndings: "er ez e ee es ees ir i is it ie ies issent re u ue us ues ent ons ait aient ant",
    abbreviations: "st ste art ch etc cf al ex m mm mme mlle mgr env tel tél réf av bd sté cie ets",
  },
  courtesies: {
    greetings: "bonjour bonsoir salut coucou",
    others: "merci beaucoup infiniment parfait genial revoir bientot bonne journee soiree",
  },
  followUps: {
    pointing:
      "il elle ils elles lui leur leurs eux ce cet cette ces cela ca celui celle ceux celles celui-ci autre autres meme memes son sa ses lequel laquelle lesquels lesquelles sinon",
    notPointing:
      /est-ce qu|qu['’]est-ce|y a[- ]t[- ]il|il y a|il (?:pleut|neige|fait)|(?:faut|suffit|vaut|reste|existe)[- ](?:t[- ])?il|est-il (?:possible|permis|interdit|obligatoire|autorisé|nécessaire)|il (?:faut|suffit|vaut|reste|existe|est (?:possible|permis|interdit|obligatoire|autorisé|nécessaire))|(?<!\p{L})ce (?:soir|matin|midi|mois|week-end|que|qui|qu['’])|(?<!\p{L})(?:cet? (?:été|hiver|après-midi)|cette (?:année|semaine))|(?:celui|celles?|ceux) qu|(?:quand|jour) même|même (?:jour|heure|temps)|(?<!\p{L})(?:les?|la|l['’]|une?|des|du|mon|ma|mes|notre|nos|votre|vos|chaque) ?\p{L}[^?.]*-(?:t-)?(?:ils?|elles?)(?!\p{L})/u,
    verbs:
      "est sont etait sera seront ai avons avez ont peut peux peuvent pouvez pouvons dois doit doivent devez devons faut fait font sait dit y cest",
    goingOn: "et mais ou donc alors aussi pourquoi",
    asksOnward: /qu['’]en est-il|et si/,
    pointsBack: /ils?|elles?|cela|ceci|ce|ces|celui|celle|ceux|celles|les deux|les autres|l['’]autre/,
    concludes: /donc|ainsi|par (?:conséquent|exemple)|dans (?:ce|cet) (?:cas|exemple)/,
  },
  denials: {
    words: /(?<!\p{L})(?:pas|jamais|aucune?|ni|rien|non)(?!\p{L})/u,
    idioms: /\bpas (?:plus|moins) (?:tard |tôt )?(?:que|de)\b|\bnon seulement\b|\bn'est-ce pas\b/,
    sentence: /\bne\b.{1,30}\b(?:pas|plus|jamais|aucun)|\b(?:sans|aucune?)\b/,
    gap: /rien trouvé|pas trouvé|(?:ne|n['’]) ?(?:mentionne|précise|indique|dit|contien|couvre)\p{L}* (?:pas|rien|aucun)|aucune (?:information|mention|précision)|trouvé de plus proche/u,
    unanswered: /(?<!\p{L})ne (?:semble(?:nt)? pas répondre|répond(?:ent)? pas) à/u,
    noNames: "",
  },
  dates: {
    months: [
      "janvier janv",
      "février févr",
      "mars",
      "avril avr",
      "mai",
      "juin",
      "juillet juil",
      "août",
      "septembre",
      "octobre",
      "novembre",
      "décembre déc",
    ],
    days: "lundi mardi mercredi jeudi vendredi samedi dimanche",
    seasons: "hiver printemps ete automne",
    holidays: [
      [/(?:jour de )?noël/, "12-25"],
      [/(?:veille|réveillon) de noël/, "12-24"],
      [/saint[- ]sylvestre|réveillon du (?:nouvel an|jour de l['’]an)/, "12-31"],
      [/(?:jour de l['’]|nouvel )an/, "01-01"],
      [/fête du travail/, "05-01"],
      [/fête nationale/, "07-14"],
      [/assomption/, "08-15"],
      [/toussaint/, "11-01"],
      [/armistice/, "11-11"],
    ],
    ordinals: /er/,
    ordinalWords: /premi(?:er|ère)|(?:deux|trois|quatr|cinqu|six|sept|huit|neuv|dix)ième|dernière?/,
  },
  numbers,
  asks,
  tables,
  suggestions,
  frequent,
  documents: {
    contents: /table des matières|sommaire/,
    toTop: /(?:retour en )?haut(?: de (?:la )?page)?/,
    table: /tableau/,
    outdated: /ancien(?:ne)?s?|obsoletes?|perime(?:e?s?)|caducs?|caduques?|brouillon/,
    current: /nouveau|nouvelle|actuel(?:le)?s?|en vigueur|definiti(?:f|ve)/,
    version: /v|version|rev|revision|indice/,
    head: { writer: /de|expéditeur/, subject: /objet|sujet/, again: /re|tr/ },
    itself:
      /(?:cet?(?:te)?|l[ae] présente?) (politique|document|page|livret|guide|manuel|procédure|charte|note|règlement|édition)/,
    issued: /(?:a été|est) (?:approuvée?|adoptée?|publiée?|rédigée?|révisée?|validée?|mise? à jour|signée?)/,
    notFound: /introuvable|n’existe (?:pas|plus)/,
    needsScript: /activer javascript/,
    question: /Question/,
    picture:
      /(?:espace réservé (?:du contenu|pour (?:une |d’|l’)?image)|image|graphique|photo|logo|icône|capture d['’]écran|objet)/,
    pictureGuess:
      /description générée automatiquement|contenu généré par l['’]ia peut être incorrect|^une (?:image|photo) (?:contenant|qui contient)/,
  },
  commands: { ask: /demande(?:z)? à/, stop: /arr[êe]tez?/ },
};
