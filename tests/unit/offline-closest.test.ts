// Which sentences the built-in model shows when it is unsure.
import { describe, expect, it } from "vitest";
import { closeness, closestFirst, weights, withStretches } from "../../supabase/local/models/closest.ts";
import { readQuestion } from "../../supabase/local/models/question.ts";
import { unitsOf } from "../../supabase/local/models/reading.ts";
import { stretchOf, textOf } from "../../supabase/local/models/stretch.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say } from "../support/words.ts";

/** Seven sentences with more of the question's words than the answer has. */
const mentions = [
  "The harbour office lends bicycles to visitors of the island.",
  "Visitors of the island like the harbour office.",
  "Bicycles of visitors stand beside the harbour office.",
  "The office on the island has bicycles.",
  "Island visitors ride bicycles around the harbour.",
  "The harbour of the island has an office for visitors.",
  "Bicycles on the island belong to the harbour office.",
].join("\n\n");

describe("an unsure reply", () => {
  it("shows a sentence with the requested kind of answer before mentions with more of the question's words", () => {
    const reply = ask(
      "How much do visitors pay at the harbour office for electric bicycles?",
      `${mentions}\n\nBicycles cost 14 euros a day.`,
    );
    expect(reply).toContain(say("answers:closest"));
    expect(reply).toContain("14 euros");
  });
  it("shows a rule when the answer is yes or no", () => {
    const others = ["red", "old", "light", "fast", "heavy", "green", "small"].map(
      (kind) => `The ${kind} bicycles stand in a row.`,
    );
    const reply = ask(
      "Do bicycles go into the cellar?",
      [...others, "Bicycles must stay outside, whoever brings them."].join("\n\n"),
    );
    expect(reply).toContain(say("answers:closest"));
    expect(reply).toContain("must stay outside");
  });
});

describe("an unsure reply's quote", () => {
  const question = "May tenants keep the flute over the holidays?";
  const rental = "Tenants of a flute sign a form. It may stay until autumn against 20 euros.";
  const about = (text: string) => {
    const reply = ask(question, text);
    expect(reply.startsWith(say("answers:closest")), reply).toBe(true);
    return reply.split("\n\n").slice(1);
  };

  it("is a short paragraph as a whole, once and with one mark", () => {
    expect(about(`The store has an inventory. ${rental}\n\nThe hall is open.`)).toEqual([
      `The store has an inventory. ${rental} [1]`,
    ]);
  });

  it("is the sentence and what stands behind it, in a long paragraph", () => {
    const before = "Cellos stay in the cellar of the house. ".repeat(7);
    const behind = " Drums stay in the attic of the house all year.".repeat(7);
    const [quote, ...more] = about(`${before}${rental}${behind}`);
    expect(quote?.startsWith(`${rental} Drums`), quote).toBe(true);
    expect(quote?.length).toBeLessThanOrEqual(304);
    expect(more).toEqual([]);
  });

  it("is one item of a long list, with the line that introduces the list", () => {
    const items = ["drums", "cellos", "horns"].map(
      (one) => `- ${one} stay in the attic of the house, ${"x".repeat(80)}`,
    );
    expect(
      about(
        `Bear this in mind:\n${items.join("\n")}\n- in the holidays a flute needs a form\n- the lute is lost`,
      )[0],
    ).toBe("Bear this in mind: in the holidays a flute needs a form [1]");
  });

  it("counts two rows of a table as one", () => {
    const rows = [
      "drum",
      "cello",
      "horn",
      "harp",
      "viola",
      "organ",
      "lute",
      "oboe",
      "tuba",
      "fife",
      "gong",
      "bell",
      "pipe",
      "bugle",
      "zither",
      "lyre",
      "sitar",
      "banjo",
    ];
    const table = rows.map((one) => `| ${one} | flute holidays |`).join("\n");
    const reply = ask(question, `| Thing | Note |\n| --- | --- |\n${table}`);
    expect(reply.match(/\[1\]/g)).toHaveLength(16);
  });
});

describe("a sentence that others are closer than", () => {
  const long = "The boat is blue. ".repeat(14).trim();
  const close = (behind: number[]) =>
    unitsOf({ number: 1, label: "", text: behind.map((_, at) => `${at} ${long}`).join("\n\n") }, 0)
      .filter(({ before }) => !before)
      .map((unit, at) => ({ unit, behind: behind[at] ?? 0, gain: 1, covers: 1, met: new Set<string>() }));
  const indexesOf = (behind: number[], isForeign = false) => {
    const all = close(behind);
    return withStretches([], all, isForeign).map((unit) => all.findIndex((one) => one.unit === unit));
  };

  it("is left out behind the second quote when it is far behind", () => {
    expect(indexesOf([0, 5.1, 5.1, 4.9, 5.1])).toEqual([0, 1, 3]);
  });
  it("is quoted with less of its paragraph", () => {
    const [first, second, third] = close([0, 2.9, 3.1]);
    withStretches(
      [],
      [first, second, third].flatMap((one) => one ?? []),
      false,
    );
    const lengths = [first, second, third].map((one) => one && textOf(stretchOf(one.unit)).length);
    expect(lengths).toEqual([253, 253, 199]);
  });
  it("is one of two with a short stretch when the documents do not treat the subject", () => {
    const all = close([0, 1, 1]);
    expect(indexesOf([0, 1, 1], true)).toEqual([0, 1]);
    withStretches([], all, true);
    expect(all.map(({ unit }) => textOf(stretchOf(unit)).length)).toEqual([199, 199, 199]);
  });
});

describe("the closeness of a sentence", () => {
  const none = { score: 0, terms: 0, kind: 0, heading: 0, rule: 0 };

  it.each(Object.entries(weights))("counts its %s by the fitted weight", (name, weight) => {
    expect(closeness({ ...none, [name]: 0.5 })).toBeCloseTo(weight / 2, 9);
  });
});

describe("a sentence with little of the best one's score", () => {
  it.each([
    [0.14, 1],
    [0.16, 2],
  ])("of %s: %i sentences may be the answer", (gain, shown) => {
    const text = "Bicycles cost 14 euros.\n\nThe hall is old.";
    const scored = unitsOf({ number: 1, label: "", text }, 0).map((unit, at) => ({
      unit,
      gain: at === 0 ? 1 : gain,
      covers: 1,
      met: new Set<string>(),
    }));
    expect(closestFirst(scored, readQuestion("How much is a bicycle?"), 2)).toHaveLength(shown);
  });
  it("says so when the documents do not treat the subject, and shows the best two passages", () => {
    const asked = "When does the hockey trophy of the northern league begin?";
    const pitch = "The pitch is mown.\n\nIt opens on 3 May at nine.";
    const long = Array.from({ length: 12 }, (_, at) => `Stand ${at} ${"is high ".repeat(12)}.`).join("\n\n");
    const reply = ask(asked, "The league is old.", pitch, "It ends in June.");
    expect(reply).toBe(
      `${say("answers:nothingClose")}\n\nThe league is old. [1]\n\nIt opens on 3 May at nine. [2]\n\nThe pitch is mown. [2]`,
    );
    expect(ask(asked, "The league is old.", long).match(/\[2\]/g)).toHaveLength(6);
  });
  it("says so when the best sentence has words that others have too", () => {
    const years = ["first", "second", "third", "fourth"].map((one) => `In the ${one} year members pay less.`);
    const reply = ask("Who wins the hockey league in the second year?", years.join("\n\n"));
    expect(reply.startsWith(say("answers:nothingClose"))).toBe(true);
    const known = ask(
      "Do members of the league pay less as visitors in the second year?",
      years.join("\n\n"),
    );
    expect(known.startsWith(say("answers:closest"))).toBe(true);
    expect(known.match(/\[1\]/g)).toHaveLength(4);
  });
  it("takes no common word of the question for its subject", () => {
    const reply = ask(
      "Who wins the league next year?",
      "We meet again next year.\n\nThe year begins in May.",
    );
    expect(reply).toBe(
      `${say("answers:nothingClose")}\n\nWe meet again next year. [1]\n\nThe year begins in May. [1]`,
    );
  });
});

it("an unsure reply from one passage shows the requested kind of answer in the best ones, though it shares no word", () => {
  const passages = [
    "Complete the inventory with your neighbours. Small marks are free.",
    "Your licence runs from Saturday 12 September.",
    "Rent is due on 1 October.",
  ];
  const reply = ask("When do neighbours see the inventory of my sister?", ...passages);
  expect(reply.startsWith(say("answers:closest")), reply).toBe(true);
  expect(reply).toContain("12 September");
  expect(ask("Do neighbours see the inventory of my sister?", ...passages)).not.toContain("12 September");
});

describe("an unsure reply with more than one quote", () => {
  const passages = [
    "Complete the inventory with your neighbours. Small marks are free.",
    "Neighbours of the pump meet in the yard.\n\n- the inventory of the shed is kept by Ada",
    "Rent is due on 1 October.",
  ];

  it("lists the others as short items below a line of their own, each with its mark", () => {
    expect(ask("When do neighbours see the inventory of my sister?", ...passages)).toBe(
      [
        say("answers:closest"),
        "Complete the inventory with your neighbours. Small marks are free. [1]",
        say("answers:related"),
        "- Neighbours of the pump meet in the yard. [2]\n- the inventory of the shed is kept by Ada [2]\n- Rent is due on 1 October. [3]",
      ].join("\n\n"),
    );
  });
  it("lists none when the documents do not treat the subject", () => {
    const reply = ask("Do the astronauts of the lunar orbiter see neighbours?", ...passages);
    expect(reply).toContain(say("answers:nothingClose"));
    expect(reply).not.toContain(say("answers:related"));
  });
});

describe("a passage beyond the agent's limit", () => {
  const first = "Tenants of a flute sign a form in the office. It may stay until autumn.";
  const behind = [
    "Flutes cost 20 euros a month.",
    "The flute teacher plays in the hall on Mondays, and the harp teacher beside her.",
    "Flutes are cleaned in May.",
    "Cellos cost 40 euros a month.",
  ].map((content) => ({ title: "Prices", content, isFurther: true as const }));

  it("adds two sentences to an unsure reply", () => {
    const reply = ask("How much do tenants pay for a flute and its teacher?", first, ...behind);
    expect(reply).toBe(
      [
        say("answers:closest"),
        `${first} [1]`,
        say("answers:related"),
        `- Flutes cost 20 euros a month. [2]\n- ${behind[1]?.content} [3]`,
      ].join("\n\n"),
    );
  });
  it("adds nothing to a sure reply or a refusal", () => {
    expect(ask("Where do tenants of a flute sign a form?", first, ...behind)).not.toContain("[2]");
    expect(ask("What is the capital of Mongolia?", first, ...behind)).toBe(say("answers:nothingFits"));
  });
  it("is told by its mark alone, not by a document's name", () => {
    const named = { title: "Further result · Harps", content: "Tenants keep the harp for a year." };
    expect(ask("How long may tenants keep the harp?", first, named)).toBe(`${named.content} [2]`);
  });
});
