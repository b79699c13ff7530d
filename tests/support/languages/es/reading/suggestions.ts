// Turns a Spanish sentence that states a value, or a row of a table, into its question.
import type { Suggestions } from "../../../../../locales/reading.ts";

const sentences: Suggestions["sentences"] = {
  noSubject:
    /^(?:él|ella|ellos|ellas|este|esta|esto|eso|si|cuando|en|a|de|para|con|sin|y|o|pero|hay)(?!\p{L})|(?<!\p{L})(?:que|es|son|no|si)(?!\p{L})/iu,
  hedged: /(?<!\p{L})(?:no|nunca|salvo|excepto|si|sin)(?!\p{L})/iu,
  determiner: /^(?:El|La|Los|Las|Un|Una|Cada|Todo|Toda|Todos|Todas|Nuestro|Nuestra)/u,
  parts: {
    AMOUNT: String.raw`(?<fact>\d+(?:[.,]\d+)* ?(?:euros?|dólares|€|%))(?![\p{L}\d])`,
    DURATION: String.raw`(?<fact>(?:\d{1,4}|un|una|dos|tres|cuatro|cinco|seis|diez) (?:minutos?|horas?|días?|semanas?|mes(?:es)?|años?))(?!\p{L})`,
  },
  rules: [
    {
      form: "{SUBJECT} (?<verb>cuesta|cuestan) {AMOUNT}",
      ask: ({ verb }, subject) => `¿Cuánto ${verb} ${subject}?`,
    },
    {
      form: "{SUBJECT} (?<verb>dura|duran) {DURATION}",
      ask: ({ verb }, subject) => `¿Cuánto tiempo ${verb} ${subject}?`,
    },
  ],
};

const rows: Suggestions["rows"] = {
  names: /nombre|producto|artículo|modelo|servicio/,
  columns: "precio coste plazo telefono peso garantia",
  isNounFirst: true,
  units: /años?|meses|días?/,
  ask: (label, name, noun) => `¿Cuál es ${noun === "garantia" ? "la" : "el"} ${label} de «${name}»?`,
};

export const suggestions: Suggestions = { sentences, rows };
