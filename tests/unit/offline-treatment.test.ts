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
    ["is not treated", "How do I paint a risotto?", four, "answers:nothingClose"],
    [
      "may be where a sentence covers much of it",
      "How do I paint a risotto?",
      four.slice(1),
      "answers:closest",
    ],
    ["may be where a person or a time may answer", "Who painted the risotto?", four, "answers:closest"],
  ] as const)("%s: %s", (_, question, walls, opening) => {
    const reply = ask(question, sentences([...walls]));
    expect(reply.startsWith(say(opening))).toBe(true);
    expect(reply.match(/\[1\]/g)).toHaveLength(walls.length);
  });
});

describe("a reply about what is in no passage", () => {
  const isRefused = (question: string, ...passages: string[]) => {
    const reply = ask(question, ...passages);
    expect(reply.match(/\[\d\]/g)?.length, reply).toBeGreaterThan(0);
    if (!reply.startsWith(say("answers:nothingClose"))) return false;
    expect(reply.match(/\[\d\]/g)?.length, reply).toBeLessThanOrEqual(3);
    return true;
  };
  const showroom = ["The showroom opens at nine.", "Samples go back to the showroom.", "Visit the showroom."];

  it("says so when yes or no is asked, and the known words are in several passages", () => {
    expect(isRefused("Is there a trampoline in the showroom?", ...showroom)).toBe(true);
    expect(
      isRefused("Is there a trampoline in the showroom?", "Chairs cost 9 euros.", "The showroom is big."),
    ).toBe(false);
    // Of four words one is unknown.
    const visitors = ["The showroom keeps samples for visitors.", "Visitors bring samples to the showroom."];
    expect(isRefused("Do visitors of the showroom get trampoline samples?", ...visitors)).toBe(false);
  });

  const drivers = [
    "The driver rings twice.",
    "A signed form goes to the driver.",
    "Insurance costs 12 euros.",
  ];
  it("says so when each price is one of something else", () => {
    expect(isRefused("What does a driver cost?", ...drivers)).toBe(true);
    expect(isRefused("What does a driver cost?", ...drivers, "Jackets of a driver are 80 euros.")).toBe(
      false,
    );
    const jacket = "The jacket of the driver is blue.";
    expect(isRefused("What does the jacket of a driver cost?", jacket, "Insurance costs 12 euros.")).toBe(
      false,
    );
    expect(
      isRefused("What does the jacket of a driver cost?", jacket, `${jacket} It is old.`, ...drivers),
    ).toBe(true);
  });
  it("says so when each number counts something else, if three passages have the word", () => {
    expect(isRefused("How many drivers are there?", ...drivers)).toBe(false);
    expect(isRefused("How many drivers are there?", ...drivers, "Each driver wears a jacket.")).toBe(true);
  });
  it("says so when no passage has a phone number", () => {
    expect(isRefused("What is the phone number of the driver?", "The driver rings twice.")).toBe(true);
    expect(isRefused("Quel est le téléphone du livreur ?", "Le livreur sonne deux fois.")).toBe(false);
  });
});

it.each([
  ["We are closed in January, do guests still pay?", "guests pay for two nights"],
  ["On est là en novembre, les hôtes paient quoi ?", "les hôtes paient deux nuits"],
])("a month that no document has hides no rule: %s", (question, rule) => {
  const rules = [
    "Outside the holidays guests pay for two nights.",
    "Hors saison, les hôtes paient deux nuits.",
  ];
  expect(ask(question, ...rules, "The garden is open to all.", "Mind the step.")).toContain(rule);
});

it("a time that no document has counts for nothing in how much of a question a sentence covers", () => {
  const guests = ["find the key in the box", "wash up", "lock the gate", "feed the hens", "sort the rubbish"];
  const passages = ["Mind the step.", "Bring boots.", guests.map((one) => `Guests ${one}.`).join("\n\n")];
  expect(ask("Guests come at 22h30, how do they enter the pavilion?", ...passages)).toContain(
    "the key in the box",
  );
  expect(ask("Guests come as harpsichordists, how do they enter the pavilion?", ...passages)).toBe(
    say("answers:nothingFits"),
  );
});
