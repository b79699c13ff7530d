// A new document language needs one folder and one line: everything that reads or answers without a model uses its declaration, and no
// other code names a language.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { LanguageCode } from "../../locales/registry.ts";
import { say } from "../support/words.ts";

// The one line, and after it a language that declares nothing for documents.
vi.mock("../../locales/languages.ts", async (original) => {
  const { languages } = await original<typeof import("../../locales/languages.ts")>();
  const { es } = await import("../support/languages/es/language.ts");
  const { ga } = await import("../support/languages/ga/language.ts");
  return { languages: [...languages, es, ga] };
});

const { languageOf, likelyLanguage, terms } = await import("../../edge-functions/answering/words.ts");
const { translationOf } = await import("../../edge-functions/answering/lexicon.ts");
const { isSmallTalk, nothingFoundFor, replyToSmallTalk } = await import(
  "../../edge-functions/answering/no-passage.ts"
);
const { choicesOfTable } = await import("../../edge-functions/answering/choices.ts");
const { standingOf } = await import("../../edge-functions/answering/follow-ups.ts");
const { holdsFact } = await import("../../edge-functions/answering/facts.ts");
const { findValue, holdValues, valuesIn } = await import("../../edge-functions/answering/values.ts");
const { checkLiterally } = await import("../../edge-functions/answering/support.ts");
const { readSheetQuestion } = await import("../../edge-functions/answering/sheet-words.ts");
const { planSheet } = await import("../../edge-functions/answering/sheet-plan.ts");
const { groupsSaid, tableSaid } = await import("../../edge-functions/answering/sheet-results.ts");
const { amountIn, dateIn, readColumn } = await import("../../edge-functions/_shared/text/cell-values.ts");
const { candidatesIn } = await import("../../edge-functions/indexing/questions/candidates.ts");
const { extractReply } = await import("../../supabase/local/models/extract.ts");
const { readQuestion } = await import("../../supabase/local/models/question.ts");
const { fitOf } = await import("../../edge-functions/answering/answer-kinds.ts");
const { telling } = await import("../../supabase/local/models/frequent-words.ts");
const { namedApp } = await import("../../edge-functions/slack/threads.ts");

const prompt = (passages: string[], question: string) => [
  {
    role: "user",
    content: `<<<n passages>>>\n${passages.map((text, at) => `[${at + 1}] Manual\n${text}`).join("\n\n")}\n<<<end n>>>\n\nPregunta: ${question}`,
  },
];
const manual = [
  "La garantía de las bicicletas dura dos años. El envío exprés cuesta 14 euros.",
  "La tienda abre el 3 de mayo de 2026. Las vacaciones se piden a Marta Ruiz, la responsable del equipo.",
];

test("a text in it is detected, and two equal candidates decide nothing", () => {
  expect(languageOf("¿Cuántos días de vacaciones tengo?")).toBe("es");
  expect(languageOf("Combien de jours de congés avons-nous ?")).toBe("fr");
  expect(languageOf("How many days of leave do we have?")).toBe("en");
  expect(likelyLanguage("la de")).toBeNull();
  expect(terms("las habitaciones")).toEqual(terms("la habitación"));
  expect(terms("peces luces")).toEqual(terms("pez luz"));
});

test("an answer in it is a quote, or a refusal in its own words", () => {
  expect(extractReply(prompt(manual, "¿Cuánto cuesta el envío exprés?"))).toBe(
    "El envío exprés cuesta 14 euros. [1]",
  );
  expect(extractReply(prompt(manual, "¿Cuándo abre la tienda?"))).toBe(
    "La tienda abre el 3 de mayo de 2026. [2]",
  );
  expect(extractReply(prompt(manual, "¿Quién pinta los elefantes de Oslo?"))).toBe(
    "Nada en los documentos que recibí responde a esta pregunta.",
  );
  expect(nothingFoundFor("¿Dónde está la piscina?")).toBe(
    "No encontré nada sobre esto en mis conocimientos.",
  );
});

test("a quote is in the question's language when two texts say the same", () => {
  const both = [
    "Chaque salarié a droit à 27 jours ouvrés de congés payés par année civile.",
    "Everyone has 27 days of paid leave per calendar year, plus the public holidays.",
  ];
  expect(extractReply(prompt(both, "how much holiday do i get"))).toMatch(/^Everyone/);
});

test("greetings, thanks and follow-ups in it are recognised", () => {
  expect(isSmallTalk("¡Hola, buenos días!")).toBe(true);
  const quiet = { greeting: "", suggestedPrompts: ["¿Cuánto cuesta?"] };
  expect(replyToSmallTalk("Hola", quiet)).toBe(
    "¡Hola! ¿Qué desea saber?\n\nPuede preguntar, por ejemplo:\n\n- ¿Cuánto cuesta?",
  );
  expect(replyToSmallTalk("Gracias", quiet)).toBe("De nada.");
  const history = [{ role: "user" as const, content: "¿Cuánto cuesta el envío exprés a Madrid?" }];
  expect(standingOf("¿Y si vivo en Toledo, en las afueras del norte?", history)).toBe("leaning");
});

test("the kind of a question in it is recognised", () => {
  const kindOf = (text: string) => readQuestion(text).kind;
  expect(
    ["¿Quién", "¿Dónde", "¿Cuándo", "¿Cuánto", "¿Cuántas", "¿Cómo"].map((one) => kindOf(`${one} x?`)),
  ).toEqual(["who", "where", "when", "howMuch", "howMany", "howTo"]);
  expect(fitOf("when", "Abre en agosto")).toBe(1);
  expect(fitOf("howLong", "Dura dos semanas")).toBe(1);
  expect(fitOf("who", "el responsable")).toBe(1);
  const [time = "", elephant = ""] = terms("tiempo elefante");
  expect(telling(time)).toBeLessThan(telling(elephant));
  expect(translationOf("¿Cuántos días de vacaciones tengo?")).toMatchObject({ askedIn: "es" });
  expect(translationOf("¿Cuántos días de vacaciones tengo?")?.translation).toContain("holiday");
});

test("its dates, numbers and amounts are parsed", () => {
  expect(dateIn("3 de mayo de 2026")).toBe(dateIn("2026-05-03"));
  expect(dateIn("agosto de 2026")).toBe(dateIn("2026-08-01"));
  expect(amountIn("1.234,50 dólares")).toEqual({ value: 1234.5, unit: "USD" });
  expect(readColumn("Plazo (días)", ["3", "4"]).column).toMatchObject({ kind: "number", unit: "días" });
  expect(holdsFact("Abre el 3 de mayo de 2026.", "2026-05-03")).toBe(true);
  const stands = (said: string, text: string) =>
    valuesIn(said).map((value) => findValue(value, holdValues(text)));
  expect(stands("12 dólares y 7 días", "Cuesta doce dólares, y dura siete días.")).toEqual([
    "there",
    "there",
  ]);
  expect(stands("2 mil millones de euros", "2000000000 €")).toEqual(["there"]);
});

test("a reply in it is checked against its citations", () => {
  const passages = [{ index: 1, title: "Manual", content: "La garantía cubre la batería y el motor." }];
  const citations = [{ index: 1, quote: "La garantía cubre la batería y el motor.", documentId: "d" }];
  const check = (reply: string) =>
    checkLiterally({ reply, citations, passages, known: "" } as never).findings;
  expect(check("La garantía no cubre la batería y el motor. [1]")).toEqual(["negation"]);
  expect(check("No encontré nada más sobre los frenos.")).toEqual(["gap"]);
});

test("a table in it can be queried and computed", () => {
  const sheet = {
    id: "1",
    documentId: "d",
    knowledgeId: "k",
    title: "facturas.csv",
    caption: "",
    rank: 0,
    rows: 40,
    columns: [
      { name: "Cliente", kind: "text", unit: "", values: ["Ana", "Luis"] },
      { name: "Fecha", kind: "date", unit: "", range: [dateIn("2026-01-01"), dateIn("2026-12-31")] },
      { name: "Importe", kind: "number", unit: "EUR" },
    ],
  };
  const planOf = (text: string) => {
    const asked = readSheetQuestion(text);
    return asked && planSheet(asked, [sheet as never]);
  };
  expect(readSheetQuestion("¿Cuánto cuesta el tornillo?")).toMatchObject({ isLookUp: true });
  expect(readSheetQuestion("¿Cuáles son los tres productos más baratos?")).toMatchObject({
    op: "lowest",
    most: 3,
  });
  const figures = { rows: 3, blanks: 1, sum: 50.3, average: 25.1, smallest: 20, largest: 30 };
  const plan = planOf("Importe total de marzo de 2026");
  if (!plan) throw new Error("Nothing was planned");
  const language = "es" as LanguageCode;
  expect(tableSaid(plan, figures, [], { language, isFirst: true, shown: 0 })).toBe(
    "Calculado a partir de la tabla «facturas.csv»: la suma de «Importe», en 2 filas, donde «Fecha» es al menos 2026-03-01 y antes del 2026-04-01 es 50,3 EUR. Left out, without a number: 1 fila.",
  );
  const each = planOf("Importe total por cliente");
  if (!each) throw new Error("Nothing was planned");
  const groups = [{ name: "Ana", rows: 1, value: 1234.5, start: 0, end: 1 }];
  expect(
    groupsSaid(each, { rows: 3, groups: 1, blanks: 0 }, groups, { language, isFirst: false, shown: 1 }),
  ).toContain("| Ana | 1234,5 EUR | 1 |");
  expect(choicesOfTable("¿Cuál es el más barato?", { tables: ["a", "b"] })[0]).toBe(
    "¿Cuál es el más barato en «a»?",
  );
});

test("questions are suggested from its sentences and tables", () => {
  const passages = manual.map((content) => ({ documentId: "d", title: "Manual", heading: "", content }));
  const tables = [
    { documentId: "t", columns: ["Nombre", "Precio (EUR)"], rows: [["Silla con ruedas", "40"]] },
  ];
  expect(candidatesIn(passages, tables, 10).map(({ question }) => question)).toEqual([
    "¿Cuánto tiempo dura la garantía de las bicicletas?",
    "¿Cuál es el precio de «Silla con ruedas»?",
    "¿Cuánto cuesta el envío exprés?",
  ]);
});

test("an agent in Slack is addressed in it", () => {
  const apps = [{ agentName: "Ventas", name: "x" }];
  expect(namedApp(apps as never, "Pregunta a Ventas: ¿cuánto cuesta?")?.question).toBe("¿cuánto cuesta?");
});

test("documents in a language without a declaration are quoted, and messages use the default language", () => {
  expect(nothingFoundFor("Cá bhfuil an leabhar?")).toBe(say("answers:nothingFound"));
  expect(nothingFoundFor("Wo finde ich mein Fahrrad?")).toBe(say("answers:nothingFound"));
  const said = "Das Fahrrad kostet 900 Euro. Der Laden liegt am Hafen.";
  // Which sentence tells a price is not known, so its neighbour is quoted, too.
  expect(extractReply(prompt([said], "Wieviel kostet das Fahrrad?"))).toBe(`${said} [1]`);
});

test("no code names a language without a stated reason", () => {
  const reasons: Record<string, string> = {
    "edge-functions/_shared/database/new-zones.ts": "an offset is parsed from its English form",
    "edge-functions/answering/everyday-words.ts": "as lexicon-words.ts",
    "edge-functions/answering/spoken-words.ts": "as lexicon-words.ts",
    "edge-functions/answering/lexicon/": "as lexicon-words.ts, by field",
    "edge-functions/answering/lexicon-words.ts":
      "lines of words that mean the same in the first two; vectors that are stored name them by their numbers",
    "edge-functions/answering/words.ts": "ligatures of the Latin script",
    "edge-functions/indexing/parsers/decode.ts": "letters of a code page",
    "edge-functions/indexing/parsers/rtf-tokens.ts": "letters of a code page",
    "edge-functions/v1/chats/texts.ts": "models are told in English what language to write",
    "edge-functions/v1/docs/page.ts": "the reference of the API is in English",
    "supabase/local/mailbox/pages.ts": "the local mailbox is in English",
    "supabase/local/seed.ts": "documents of the demo",
    "web/client/failure-words.ts": "the API's messages are in English",
    "web/gallery/front-page.ts": "the gallery of screens is in English",
    "web/gallery/request.ts": "the gallery shows screens in English where nothing is chosen",
    "web/gallery/texts.ts": "names and long words that screens have to hold",
    "web/pages/content/+data.ts": "English has every page",
    "web/render/locale.ts": "the name of a language that cannot be chosen yet",
    "web/sdk/widget.ts": "a script on other people's pages, which knows no declarations",
    "sql/05_languages.sql": "generated from the declarations",
    "sql/10_users.sql": "the default of a column",
    "sql/41_knowledges.sql": "the default of a column",
    "sql/66_finding.sql": "an index is made of these words: others mean to make it again",
    "sql/67_handovers.sql": "the default of a column",
  };
  const named = /(["'`])(?:en|fr|(?:pg_catalog\.)?(?:english|french)(?:_stem)?)\1|^\s*(?:en|fr):|[à-öø-ÿœ]/im;
  const naming = ["edge-functions", "supabase/local", "web", "sql"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(?:tsx?|mjs|sql)$/.test(path) && !path.includes("node_modules"))
      .map((path) => join(folder, path))
      .filter((path) => {
        const text = readFileSync(path, "utf8");
        return named.test(text.replace(/\/\*[\s\S]*?\*\/|(?:^|\s)(?:\/\/|--).*$/gm, ""));
      }),
  );
  const places = naming.map((path) => path.replace(/(?<=\/lexicon\/).*/, ""));
  expect([...new Set(places)].sort()).toEqual(Object.keys(reasons).sort());
});
