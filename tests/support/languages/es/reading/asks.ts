// Owns what a Spanish question asks for, and what a sentence that answers it contains.
import type { Reading } from "../../../../../locales/reading.ts";

export const asks: Reading["asks"] = {
  questionWords: "que quien quienes cuando donde como cuanto cuantos cuanta cuantas cual cuales",
  glue: "el la los las un una de del a al en y o es son se",
  verbs: "encontrar saber ver dar ir usar",
  care: "responsable encargar",
  measured: /cuánto tiempo|cuánt[oa]s|qué (?:día|fecha|hora)/,
  date: /qué (?:día|fecha|hora|mes|año)/,
  length: /qué longitud/,
  howLong: /cuánto (?:tiempo|dura)|qué plazo/,
  howMuch: /cuánto|qué precio/,
  howMany: /cuánt[oa]s/,
  when: /(?<!\p{L})cuándo/u,
  who: /(?<!\p{L})quién(?:es)?/u,
  where: /(?<!\p{L})dónde/u,
  howTo: /(?<!\p{L})cómo|qué debo hacer/u,
  yesNo: /^\W*(?:puedo|puede|se puede|hay|es|son|está|están|debo|tengo)(?!\p{L})/u,
  answers: {
    people: /responsable|director[a]?|jef[ea]|equipo/,
    moments: /cada|antes|después|hasta|desde|cuando|primer|último/,
    prepositions: /en|a|de/,
    articles: /el\s|la\s/,
    places: /oficina|calle|página/,
    amounts: /gratis|gratuito/,
    spans: /segundo|minuto|hora|día|semana|mes|año/,
  },
};
