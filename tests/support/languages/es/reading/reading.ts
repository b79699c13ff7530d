// Owns reading Spanish documents and questions without a language model.
import type { Reading } from "../../../../../locales/reading.ts";
import { asks } from "./asks.ts";
import { suggestions } from "./suggestions.ts";
import { tables } from "./tables.ts";

const ones =
  "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte".split(
    " ",
  );

export const reading: Reading = {
  words: {
    little:
      "a al algo algun alguna ante antes como con cual cuales cuando cuanta cuantas cuanto cuantos de del desde donde durante e el ella ellas ellos en entre era es esa esas ese eso esos esta estas este esto estos fue ha han hasta hay la las le les lo los mas me mi mis mucho muy nada ni no nos nosotros o otra otras otro otros para pero por porque que quien quienes se sea ser si sin sobre son su sus tambien tanto te tener tengo tiene tienen todo todos tu tus un una unas uno unos usted ustedes y ya yo",
    letters: /[áíóúñ¿¡]/,
    plurals: [
      [/(?<=[aeiou])ces$/, "z"],
      [/(?<=[dlnrz])es$/, ""],
    ],
    endings: "amente mente ado ada ar er ir o a",
    abbreviations: "sr sra dr dra ud uds num pag tel av etc",
  },
  courtesies: { greetings: "hola buenos buenas", others: "gracias adios dias tardes noches vale perfecto" },
  followUps: {
    pointing: "el ella ellos ellas eso esto este esta esos otro otra mismo misma",
    notPointing: /hay que|lo que/,
    verbs: "es son esta estan hay puedo puede tengo tiene",
    goingOn: "y pero o entonces tambien",
    asksOnward: /(?:y si|qué hay de)/,
    pointsBack: /él|ella|ellos|ellas|esto|eso|este|esta/,
    concludes: /por (?:lo tanto|ejemplo)|así que/,
  },
  denials: {
    words: /(?<!\p{L})(?:no|nunca|jamás|ningun[oa]?|ningún|nada|nadie|tampoco)(?!\p{L})/u,
    idioms: /(?<!\p{L})no (?:más|menos) (?:tarde )?(?:que|de)(?!\p{L})|\bno sólo\b/u,
    sentence: /(?<!\p{L})(?:no|nunca|jamás|sin|ningun[oa]?|ningún)(?!\p{L})/u,
    gap: /(?:no encontré|no se (?:menciona|indica|especifica)|lo más parecido)/,
    unanswered: /(?<!\p{L})no (?:parecen? responder|responden?)(?!\p{L})/u,
    noNames: "",
  },
  dates: {
    months: [
      "enero ene",
      "febrero",
      "marzo",
      "abril abr",
      "mayo",
      "junio",
      "julio",
      "agosto ago",
      "septiembre setiembre",
      "octubre",
      "noviembre",
      "diciembre dic",
    ],
    days: "lunes martes miércoles jueves viernes sábado domingo",
    ordinals: /º|ro/,
    ofMonth: /de/,
    ofYear: /del?/,
  },
  numbers: {
    names: (number) => [ones[number] ?? "", number === 100 ? "cien" : "", number === 1000 ? "mil" : ""],
    words: /un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|treinta/,
    percent: /por ?ciento/,
    thousand: /mil(?![a-z]| millones)/,
    million: /millon(?:es)?/,
    billion: /mil millones/,
    currencies: { EUR: ["euro", "euros"], USD: ["dólar", "dólares"] },
    cellCurrencies: { GBP: ["libra", "libras"] },
    about: /aprox\.?/,
    columnUnits: /euros?|horas?|días?|meses|años?|minutos?/,
    units: { g: "gramo gramos", kg: "kilo kilos", m: "metro metros", "°c": "grado grados", h: "hora horas" },
  },
  asks,
  tables,
  suggestions,
  frequent: {
    commonest:
      "tiempo persona año día cosa parte trabajo caso lugar grupo empresa nuevo primero grande pequeño",
    common: "cliente producto precio dirección fecha teléfono página lista documento servicio",
  },
  lexicon: {
    meanings: `
      holiday vacation leave / vacaciones permiso
      warranty guarantee / garantia
      price cost / precio coste costo`,
    phrases: "dias libres = holiday",
    names: "germany alemania",
  },
  documents: {
    contents: /índice|tabla de contenidos/,
    table: /tabla/,
    notFound: /no encontrad[ao]/,
    needsScript: /active javascript/,
    question: /P|Pregunta/,
  },
  commands: { ask: /pregunta a/, stop: /para|detente/ },
};
