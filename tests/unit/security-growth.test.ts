// Hostile texts of models, documents, people and Slack: what reads them in the processes of all teams takes linear time, not quadratic.
import { expect, test } from "vitest";
import { disarm } from "../../edge-functions/_shared/mail/disarm.ts";
import { fitOf } from "../../edge-functions/answering/answer-kinds.ts";
import { citationsOf, MarkFilter } from "../../edge-functions/answering/citations.ts";
import { claimsIn } from "../../edge-functions/answering/claims.ts";
import { withoutLinks } from "../../edge-functions/answering/links.ts";
import { sentences } from "../../edge-functions/answering/sentences.ts";
import { checkLiterally } from "../../edge-functions/answering/support.ts";
import { terms } from "../../edge-functions/answering/words.ts";
import { placeNotes } from "../../edge-functions/indexing/parsers/docx-notes.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { withoutContents } from "../../edge-functions/indexing/parsers/table-of-contents.ts";
import { plainText } from "../../edge-functions/slack/envelope.ts";
import { excerptOf } from "../../edge-functions/v1/search/excerpt.ts";
import { unitsOf } from "../../supabase/local/models/reading.ts";
import { typedValues } from "../../web/request/run-action.ts";

const passage = {
  sourceId: "s",
  documentId: "d",
  chunkId: "c",
  title: "t",
  url: null,
  heading: "",
  page: null,
  preface: "",
  content: "It is so.",
};
const passages = Array.from({ length: 50 }, (_, i) => ({ ...passage, index: i + 1 }));

function read(text: string): void {
  const filter = new MarkFilter(passages.map(({ index }) => index));
  citationsOf(filter.push(text) + filter.end(), filter.cited, passages);
}

/** CPU time in ms: wall time would count other processes. */
function cost(text: string, work: (text: string) => unknown): number {
  const before = process.cpuUsage();
  work(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * How many times as much a text costs as another, by the least of five costs each: by turns, since V8 optimizes the work meanwhile. Shorter
 * times cannot be compared.
 */
function ratio(text: string, other: string, work: (text: string) => unknown = read): number {
  const rounds = [1, 2, 3, 4, 5].map(() => [cost(text, work), cost(other, work)] as const);
  const most = Math.min(...rounds.map(([one]) => one));
  return most < 20 ? 1 : most / Math.min(...rounds.map(([, one]) => one));
}

/** Of eight times the length. */
const growth = (length: number, make: (length: number) => string, work?: (text: string) => unknown) =>
  ratio(make(length), make(length / 8), work);

/** Quadratic work grows 64 times. */
const mostGrowth = 30;

test.each<[string, (length: number) => string]>([
  ["spaces", (n) => `a${" ".repeat(n)}x`],
  ["spaces before a bracket", (n) => `a${" ".repeat(n)}[x]`],
  ["full stops that end no sentence, before a mark", (n) => `${"so. ".repeat(n / 4)}[1]`],
])("eight times the length does not cost sixty times as much: %s", (_name, make) => {
  read(make(2_000));
  expect(growth(64_000, make)).toBeLessThan(mostGrowth);
});

const withSupport = (reply: string) =>
  checkLiterally({
    reply,
    citations: [{ ...passage, index: 1, quote: passage.content }],
    passages: passages.slice(0, 1),
    known: "",
  });
const unitsIn = (text: string) => unitsOf({ number: 1, label: "", text }, 0);
const withoutEvery = (text: string) => withoutLinks(text, new Set());

const valuesIn = (fields: string) => typedValues(formOf(new URLSearchParams(fields)));
function formOf(fields: URLSearchParams): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

const leadersIn = (text: string) => withoutContents([[{ text, y: 0, size: 10 }]]);

test.each<[string, number, (length: number) => string, (text: string) => unknown]>([
  ["a reply of full stops", 32_000, (n) => ".".repeat(n), sentences],
  ["a reply of spaces", 32_000, (n) => `a${" ".repeat(n)}b.`, claimsIn],
  ["a reply of marks", 64_000, (n) => `It is so ${"[1]".repeat(n / 3)} or not.`, claimsIn],
  ["a reply of dashes below bars", 64_000, (n) => `| a | b.\n${"-".repeat(n)}x`, claimsIn],
  ["a reply of names", 128_000, (n) => `${"Anna ".repeat(n / 5)}[1].`, withSupport],
  ["a reply of begun links", 128_000, (n) => "[a](".repeat(n / 4), withoutEvery],
  ["a reply of begun addresses", 128_000, (n) => "www.".repeat(n / 4), withoutEvery],
  ["a question of one word", 32_000, (n) => "A".repeat(n), terms],
  ["a passage of signs, for an email address", 2_400, (n) => "@".repeat(n), (text) => fitOf("email", text)],
  ["a passage of letters, for a person", 32_000, (n) => "A".repeat(n), (text) => fitOf("who", text)],
  ["a passage of tabs, in an excerpt", 32_000, (n) => "\t".repeat(n), (text) => excerptOf(text, "x")],
  ["a passage of tildes, in an excerpt", 64_000, (n) => "~~a ".repeat(n / 4), (text) => excerptOf(text, "x")],
  ["a passage of dashes below bars", 4_000, (n) => `| a | b |\n${"-".repeat(n)}x`, unitsIn],
  ["a heading of tabs, in an excerpt", 32_000, (n) => `#${"\t".repeat(n)}`, (text) => excerptOf(text, "x")],
  ["a message in Slack of begun mentions", 40_000, (n) => "<@".repeat(n / 2), plainText],
  ["a message in Slack of begun channels", 40_000, (n) => "<!a|".repeat(n / 4), plainText],
  ["a line of dots in a PDF", 32_000, (n) => `${".".repeat(n)}x`, leadersIn],
  ["a line of spaces in a PDF", 32_000, (n) => `....${" ".repeat(n)}x`, leadersIn],
  [
    "a note of spaces in a Word file",
    64_000,
    (n) => `<ol><li id="footnote-1">${" ".repeat(n)}x</li></ol>`,
    placeNotes,
  ],
  ["a form of one field's values", 64_000, (n) => "a=&".repeat(n / 3), valuesIn],
  ["letters in a mail", 64_000, (n) => "A+".repeat(n / 2), disarm],
])("%s: eight times the length does not cost sixty times as much", (_name, length, make, work) => {
  work(make(200));
  expect(growth(length, make, work)).toBeLessThan(mostGrowth);
});

test("a form's fields may be called like what every object has", () => {
  const values = valuesIn("constructor=1&__proto__=2&toString=3&toString=4&toString=5&password=6");
  expect(Object.entries(values)).toEqual([
    ["constructor", ["1"]],
    ["__proto__", ["2"]],
    ["toString", ["3", "4", "5"]],
  ]);
});

/** Every passage is cited a thousand times, for one long statement or one for each. */
const marks = Array.from({ length: 5_000 }, (_, i) => `[${(i % passages.length) + 1}]`);

test("a long statement is read once, however many marks follow it", () => {
  const statement = "many other words than before ".repeat(3_000);
  read(statement + marks.join(""));
  const once = `${statement}[1]${marks.join("").replaceAll(/\d+/g, "1")}`;
  expect(ratio(statement + marks.join(""), once)).toBeLessThan(8);
});

test("a text of comments that end at several places is read as text; exponential work would time out", async () => {
  const text = `<!-${"---><!----><!-".repeat(60)}`;
  const parsed = await parseFile({ name: "notes", bytes: new TextEncoder().encode(text) });
  expect(parsed.text).toBe(text);
});
