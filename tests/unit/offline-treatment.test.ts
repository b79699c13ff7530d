// Whether the built-in model says that the documents do not treat a question's subject, instead of quoting what shares a word with it.
import { describe, expect, it } from "vitest";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say } from "../support/words.ts";

const abroad = [
  "You may work from another country for 20 days a year.",
  "Parcels to other countries cost 19 euros.",
  "The capital of the foundation grew last year.",
  "Fees abroad are paid by the office.",
  "Colleagues from other countries meet in May.",
  "The office pays hotels abroad.",
].join("\n\n");

describe("a question about a country that no document names", () => {
  it.each(["What is the capital of Mongolia?", "Who governs Mongolia?", "Where is Mongolia?"])(
    "is refused: %s",
    (question) => {
      expect(ask(question, abroad)).toBe(say("answers:nothingFits"));
    },
  );
  it.each([
    ["Can I work from Mongolia?", "20 days"],
    ["May I go to Mongolia?", "20 days"],
    ["What does a parcel to Mongolia cost?", "19 euros"],
  ])("shows the rule for all other countries: %s", (question, rule) => {
    const reply = ask(question, abroad);
    expect(reply).toContain(say("answers:closest"));
    expect(reply).toContain(rule);
  });
});

describe("a question of numbers alone", () => {
  const rows = "| Room | Seats |\n| --- | --- |\n| 12 | 8 |\n| 14 | 9 |";
  it("is no question about a table with these numbers", () => {
    expect(ask("What is 12 of 8?", rows)).toBe(say("answers:nothingFits"));
  });
  it("is one with another word, or with one number", () => {
    expect(ask("What are the seats of 12 and 14?", rows)).toContain("| 12 | 8 [1] |");
    expect(ask("What is 12?", rows)).toContain("| 12 | 8 [1] |");
  });
});

describe("a question of two words, of which the documents know one", () => {
  const sentences = (walls: string[]) =>
    walls.map((one) => `We painted the ${one} with the neighbours.`).join("\n\n");
  const four = ["hall", "gate", "roof", "shed"];
  it.each([
    ["shows two sentences", "How do I paint a risotto?", four, 2],
    ["shows all where a sentence covers much of it", "How do I paint a risotto?", four.slice(1), 3],
    ["shows all where a person or a time may answer", "Who painted the risotto?", four, 4],
  ])("%s: %s", (_, question, walls, shown) => {
    const reply = ask(question, sentences(walls));
    expect(reply.startsWith(say(shown === 2 ? "answers:nothingClose" : "answers:closest"))).toBe(true);
    expect(reply.match(/\[1\]/g)).toHaveLength(shown);
  });
});
