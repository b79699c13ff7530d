// Owns the French patterns that turn a sentence that states a value, or a row of a table, into a question. Only unambiguous patterns:
// a sentence that fits none yields no question. It uses no pronoun whose gender would have to be guessed.
import type { Suggestions } from "../../reading.ts";

const count = String.raw`(?:\d{1,4}|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|dix-huit|vingt|trente)`;
const month = "(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)";
const unit = String.raw`[ \u00a0\u202f]?(?:euros?|dollars?|centimes?|EUR|€|%)`;
const parts = {
  AMOUNT: String.raw`(?<fact>\d{1,3}(?:[ .\u00a0\u202f]\d{3})+(?:,\d+)?${unit}|\d+(?:,\d+)?${unit})(?![\p{L}\d])`,
  DURATION: String.raw`(?<fact>${count} (?:minutes?|heures?|jours?|semaines?|mois|ans?|années?)(?: (?:ouvrés|ouvrables|calendaires))?)(?!\p{L})`,
  DATE: String.raw`(?<fact>(?:\d{1,2}|1er) ${month}(?: \d{4})?|(?:19|20)\d\d)(?!\d)`,
  TIME: String.raw`(?<fact>\d{1,2} ?(?:h(?:eures?)?(?: ?\d\d)?|:\d\d))(?!\p{L})`,
  PERSON: String.raw`(?<fact>\p{Lu}\p{Ll}+(?:[ -]\p{Lu}[\p{Ll}-]+){1,2})`,
  THING: String.raw`(?<subject>L[ea](?: [\p{L}\p{N}'’-]+){2,6}?)`,
  NEAR: "(?:environ |en moyenne |en général )?",
  DONE: String.raw`(?<done>\p{Ll}{2,}(?:é|i|u|is|it|ert|ait)e?s?)`,
  UNIT: String.raw`(?<unit>(?:jours|semaines|mois|heures)(?: (?:ouvrés|ouvrables|calendaires))?(?: (?:de |d['’])\p{Ll}+(?: \p{Ll}+s)?)?)(?= (?:par|à|au|aux|en|dans|sur|avec|dès|après|avant|et|pour)(?!\p{L})|[.,;]|$)`,
};

const sentences: Suggestions["sentences"] = {
  noSubject:
    /^(?:il|elle|ils|elles|on|ce|cela|ça|ceci|cet|cette|ces|celui|celle|ceux|nous|vous|je|tu|y|en|si|quand|lorsque|après|avant|dans|sur|à|au|aux|pour|de|du|des|depuis|et|ou|mais|par|avec|sans|sous|son|sa|ses|leur|leurs|aucun|aucune|personne|jusqu|au-delà|puis|où|qui)(?![\p{L}])|(?<![\p{L}])(?:qui|que|dont|est|sont|était|étaient|ont|peut|peuvent|doit|doivent|ne|pas|si|quand|il|elle|ils|elles|a)(?![\p{L}'’])/iu,
  hedged: /(?<!\p{L})(?:ne|pas|jamais|sauf|si|hormis|sinon|sans que|à moins)(?!\p{L})|(?<!\p{L})n['’]/iu,
  determiner: /^(?:Le|La|Les|L['’]|Un|Une|Chaque|Chacune?|Tout|Toute|Tous|Toutes|Notre|Nos|Votre|Vos)/u,
  parts,
  rules: [
    {
      form: "{SUBJECT} (?<verb>coûte|coûtent) (?<most>au maximum |au plus |jusqu['’]à )?{NEAR}{AMOUNT}",
      ask: ({ verb, most }, subject) => `Combien ${verb}${most ? " au maximum" : ""} ${subject} ?`,
    },
    ...["{AMOUNT}", "{DURATION}"].map((value) => ({
      form: `{THING} est (?:de |d['’]|fixée? à |limitée? à ){NEAR}${value}`,
      ask: (_: Record<string, string>, subject: string) =>
        `${subject.startsWith("le ") ? "Quel" : "Quelle"} est ${subject} ?`,
    })),
    {
      form: "{SUBJECT} (?<verb>dure|durent) {NEAR}{DURATION}",
      ask: ({ verb }, subject) => `Combien de temps ${verb} ${subject} ?`,
    },
    {
      form: `{SUBJECT} (?<verb>bénéficie|bénéficient|dispose|disposent) de (?<fact>${count}) {UNIT}`,
      ask: ({ verb, unit }, subject) => `De combien de ${unit} ${verb} ${subject} ?`,
    },
    {
      form: `{SUBJECT} (?<verb>a|ont) droit à (?<fact>${count}) {UNIT}`,
      ask: ({ verb, unit }, subject) => `À combien de ${unit} ${verb} droit ${subject} ?`,
    },
    {
      form: `{SUBJECT} (?<verb>a|ont) (?<fact>${count}) (?<unit>jours|semaines|mois|heures) pour (?<aim>\\p{Ll}+(?: [\\p{L}'’]+){0,4}?)(?= qui | que |[.,;]|$)`,
      ask: ({ verb, unit, aim }, subject) =>
        `De combien de ${unit} ${verb === "a" ? "dispose" : "disposent"} ${subject} pour ${aim} ?`,
    },
    {
      form: "{SUBJECT} (?<is>est|sont) (?<done>facturé|vendu|loué|remboursé)(?<end>e?s?) (?<most>jusqu['’]à |à hauteur de )?{NEAR}{AMOUNT}",
      ask: ({ is, done, end, most }, subject) =>
        most
          ? `Jusqu’à combien ${is} ${done}${end} ${subject} ?`
          : `Combien ${is} ${done}${end} ${subject} ?`,
    },
    {
      form: "{SUBJECT} (?<is>est|sont) {DONE} (?:sous|dans un délai de|dans les) {DURATION}",
      ask: ({ is, done }, subject) => `Sous quel délai ${is} ${done} ${subject} ?`,
    },
    {
      form: "{SUBJECT} (?<is>a été|ont été) (?<done>(?:fondé|créé|ouvert|lancé|construit)e?s?) (?:en|le) {DATE}",
      ask: ({ is, done }, subject) => `Quand ${is} ${done} ${subject} ?`,
    },
    {
      form: "{SUBJECT} (?<verb>ouvre|ouvrent|ferme|ferment|commence|commencent) à {TIME}",
      ask: ({ verb }, subject) => `À quelle heure ${verb} ${subject} ?`,
    },
    {
      form: "{SUBJECT} (?<is>est|sont) (?<done>(?:conservé|gardé|stocké|archivé)e?s?) (?:pendant |durant )?(?:au moins |au plus )?{DURATION}",
      ask: ({ is, done }, subject) => `Combien de temps ${is} ${done} ${subject} ?`,
    },
    {
      form: "(?<subject>L[ea](?: \\p{Ll}[\\p{L}-]+){1,5}) est {PERSON}(?=[.,;]|$| \\()",
      ask: (_, subject) => `Qui est ${subject} ?`,
    },
    {
      form: "{PERSON} est (?<role>l[ea](?: \\p{Ll}[\\p{L}-]+){1,5})(?=[.,;]|$)",
      ask: ({ role }) => `Qui est ${role} ?`,
    },
  ],
};

const feminine = new Set(["duree", "garantie", "capacite", "autonomie"]);

const rows: Suggestions["rows"] = {
  names:
    /nom|article|produit|modèle|description|désignation|libellé|intitulé|service|prestation|offre|atelier/,
  columns: "prix tarif montant cout delai telephone poids salaire duree garantie capacite autonomie",
  isNounFirst: true,
  units: /ans|jours|mois/,
  ask: (label, name, noun) =>
    `${feminine.has(noun) ? "Quelle est la" : "Quel est le"} ${label} de « ${name} » ?`,
};

export const suggestions: Suggestions = { sentences, rows };
