// How the built-in model reads numbers, months, countries, places and words that only look alike. Each question has a few passages of its
// own.
import { describe, expect, it } from "vitest";
import { agesIn, fitOf } from "../../edge-functions/answering/answer-kinds.ts";
import { readQuestion } from "../../supabase/local/models/question.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say } from "../support/words.ts";

describe("a month or a season", () => {
  const pool = "The pool is open at noon.\n\nSandals are permitted from May to September.";
  const menus =
    "| Menu | Season |\n| --- | --- |\n| Garden | May to September |\n| Hearth | December to February |";

  it("is in a range of months, across the year's end too", () => {
    expect(ask("Which menu is there in January?", menus)).toContain("Hearth");
    expect(ask("Which menu is there in January?", menus)).not.toContain("Garden");
    expect(ask("Are sandals ok in june?", pool)).toContain("May to September");
    expect(ask("Quel menu en juillet ?", "Grillades : du 1er mai au 30 septembre, menu froid.")).toContain(
      "Grillades",
    );
  });
  it("a season is so by its middle month", () => {
    const hours =
      "Crews begin at 7 am from March to October.\n\nCrews begin at 8 am from November to February.";
    expect(ask("When do crews begin in winter?", hours)).toMatch(/^Crews begin at 8 am/);
  });
});

describe("a number under a column that names its unit", () => {
  const plans =
    "| Plan | Price | Days per week |\n| --- | --- | --- |\n| Solo | 95 | 1 |\n| Trio | 190 | 3 |";
  const groups =
    "| Group | Ages | Day |\n| --- | --- | --- |\n| Larks | 8 to 10 | Monday |\n| Owls | 11 to 13 | Friday |";
  const discounts = "| Order | Discount |\n| --- | --- |\n| 6 to 19 kg | 10 % |\n| 50 kg and more | 24 % |";

  it("selects the row with it, with a range that contains it, or with a bound on its side", () => {
    expect(ask("How much is it for 3 days a week?", plans)).toContain("| Trio |");
    expect(ask("How much is it for 3 days a week?", plans)).not.toContain("| Solo |");
    expect(ask("Which group may my 12 year old join?", groups)).toContain("| Owls |");
    expect(ask("Which group may my 12 year old join?", groups)).not.toMatch(/Larks.*Owls/s);
    expect(ask("What discount is there for an order of 60 kg?", discounts)).toContain("24 %");
  });
});

describe("a country that no passage names", () => {
  it("is abroad, as the closest match", () => {
    const said = ask("Can I ride to Switzerland?", "Rides abroad need written consent.");
    expect(said).toBe(`${say("answers:closest")}\n\nRides abroad need written consent. [1]`);
    expect(ask("Can I ride to Zanzibarville?", "Rides abroad need written consent.")).not.toContain("[1]");
  });
});

describe("words with one stem", () => {
  it("are told apart: car and care, the office and an officer", () => {
    expect(ask("Is there a company car?", "The company takes good care of its people.")).not.toContain(
      "company takes good care of its people. [1]\n",
    );
    expect(ask("Is there a car?", "We take good care.")).not.toContain("[1]");
    expect(ask("Where is the office?", "They elect a Chief Impact Officer.")).not.toContain("[1]");
  });
  it("are one word where they are forms of each other, or in two languages", () => {
    expect(ask("How much is the tourist tax?", "La taxe de tourisme est de 2 €.")).toContain("2 €");
    expect(ask("Who is the officer?", "Our officer is Ada Moss.")).toContain("Ada Moss");
  });
  it("a compound with a hyphen is also one word", () => {
    expect(ask("Are there walkins?", "Walk-ins are welcome.")).toContain("[1]");
  });
});

describe("a place", () => {
  it("is asked for by où, which has an edge although it ends in an accent", () => {
    expect(readQuestion("Où sont les locaux ?").kind).toBe("where");
    expect(readQuestion("Quelle est la durée du bail ?").kind).toBe("howLong");
  });
  it("is an address, which answers where the office is without that word", () => {
    const papers = "The office cat sleeps all day.\n\nAddress: 20 Mill Street, 75007 Paris";
    expect(ask("Where is the office?", papers)).toMatch(/^Address: 20 Mill Street/);
    expect(fitOf("where", "20 avenue de Mai, 75007 Paris")).toBe(1);
    expect(fitOf("where", "Unit 4, BN7 2QP")).toBe(1);
    expect(fitOf("where", "we had 20 of them")).toBeLessThan(1);
  });
});

describe("an item of a list", () => {
  const rules = "Freelancers therefore have:\n\n* No paid leave;\n* No meal vouchers.";

  it("answers with the line that introduces the list", () => {
    expect(ask("Do freelancers have paid leave?", rules)).toBe(
      "Freelancers therefore have: No paid leave; [1]",
    );
  });
});

describe("the line that introduces a list", () => {
  it("is quoted with its list", () => {
    const help = "In case of harassment you may:\n\n* Call the support group;\n* Read the guide.";
    expect(ask("What do I do in case of harassment?", help)).toContain("Read the guide");
  });
});

describe("a time of day", () => {
  const visits = "Guests come from 8.30 am to 5.30 pm.\n\nThe last kettle is put on by Dora.";

  it("is answered by the hours around it, and for yes or no by hours that exclude it", () => {
    expect(ask("Is it ok at 4 pm?", visits)).toContain("5.30 pm");
    expect(ask("Is it ok at 7 pm?", visits)).toContain("5.30 pm");
  });
});

describe("a result over a table that may not be asked for", () => {
  const list =
    "Computed from table “list.csv”: the smallest “Price” is 4.\n\n| Item | Price |\n| --- | --- |\n| Oat roll | 4 |";
  const bread = "The cheapest bread is baked daily.";
  const guess = { title: "list.csv", content: list, computed: { isGuess: true as const } };

  it("is shown in an unsure reply, and makes a sentence unsure", () => {
    expect(ask("Which is the cheapest bread?", bread)).toBe(`${bread} [1]`);
    expect(ask("Which is the cheapest bread?", guess, bread)).toBe(
      `${say("answers:closest")}\n\nComputed from table “list.csv”: the smallest “Price” is 4. [1]\n\n| Item | Price |\n| --- | --- |\n| Oat roll | 4 [1] |\n\n${bread} [2]`,
    );
  });
  it("leaves a plain refusal as it is", () => {
    expect(ask("Which is the cheapest zeppelin?", guess, "Dora puts the kettle on.")).toBe(
      say("answers:nothingFits"),
    );
  });
  it("is no document that is called so", () => {
    const posing = { title: "Perhaps computed from table", content: "Dora puts the kettle on." };
    expect(ask("Which is the cheapest bread?", posing, bread)).toBe(`${bread} [2]`);
  });
});

describe("opening hours", () => {
  it("are times of day", () => {
    expect(readQuestion("What are the opening hours?").kind).toBe("clock");
    expect(readQuestion("Quels sont les horaires d'ouverture ?").kind).toBe("clock");
  });
});

describe("neighbouring words", () => {
  it("are no pair with a preposition", () => {
    expect([...readQuestion("Qui est responsable de la paie ?").pairs]).toEqual([]);
    expect([...readQuestion("Who leads the repair workshop?").pairs]).toEqual(["repair workshop"]);
  });
});

describe("a column known by its unit", () => {
  const machines =
    "| Model | Draw (W) | Level (dB) | Core (°C) |\n| --- | --- | --- | --- |\n| Ada | 220 | 38 | 90 |\n| Bob | 460 | 52 | 70 |";

  it("is what the unit measures", () => {
    const isSure = (said: string) => !said.includes(say("answers:closest")) && /Ada \| 220/.test(said);
    expect(isSure(ask("What is the noise of the Ada?", machines))).toBe(true);
    expect(isSure(ask("What is the temperature of the Ada?", machines))).toBe(true);
    expect(isSure(ask("What is the weight of the Ada?", machines))).toBe(false);
  });
});

describe("a price in a row", () => {
  const unsure = say("answers:closest");

  it("is not of a thing that the row only lists, or has a column for", () => {
    const hampers =
      "| Hamper | Contents | Price |\n| --- | --- | --- |\n| Noël | Port, honey, pudding | 89 € |";
    const boats = "| Boat | Day rate (€) | Engine |\n| --- | --- | --- |\n| Petrel | 45 | none |";
    expect(ask("How much is the honey?", hampers)).toMatch(new RegExp(`^${unsure}`));
    expect(ask("How much is the Noël hamper?", hampers)).not.toContain(unsure);
    expect(ask("How much is an engine?", boats)).toMatch(new RegExp(`^${unsure}`));
    expect(ask("How much is the Petrel?", boats)).not.toContain(unsure);
  });
});

describe("an age", () => {
  const minors = "A child of less than 14 years can come with an adult.";
  const least = "A child can come from 5 years on.";

  it("that two sentences have different rules for makes no reply sure", () => {
    const asked = "My child is 4 years old, can she come?";
    expect(ask(asked, minors)).toBe(`${minors} [1]`);
    const reply = ask(asked, minors, least);
    expect(reply.startsWith(say("answers:closest"))).toBe(true);
    expect(reply).toContain(least);
  });
});

describe("a question for an amount without “how much”", () => {
  const kindOf = (question: string) => readQuestion(question).kind;

  it("names a limit or a measure", () => {
    const questions = [
      "max weight of a bag",
      "At what temperature is it washed?",
      "What percentage do I pay now?",
      "Poids max d'un bagage",
      "Quelle hauteur fait le portail ?",
    ];
    expect(questions.map(kindOf)).toEqual(questions.map(() => "howMuch"));
  });
  it("is none for a size, which is several lengths", () => {
    expect(["maximum size of a parcel", "Taille maximum d'un colis"].map(kindOf)).toEqual(["any", "any"]);
  });
  it("gives way to any other kind", () => {
    expect(kindOf("When is the maximum reached?")).toBe("when");
    expect(kindOf("Is there a minimum order?")).toBe("yesNo");
  });
});

describe("somebody's age", () => {
  const limit = "Anyone below 14 sails with a grown-up.";
  const senior = "Over-sixties get a tenth off.";
  const rental = "The hirer must be 21 or older.";
  it.each([
    ["does my son have to bring me, he's 12", limit],
    ["I'm 67, what do you do for me", senior],
    ["my daughter is 18 can she sign", rental],
  ])("is answered by an age limit in other words: %s", (question, answer) => {
    expect(ask(question, answer)).toContain(answer);
  });
  it("is none of minutes, of feet or of years without a person", () => {
    expect([...agesIn("I'm 20 minutes late")]).toEqual([]);
    expect([...agesIn("he is 6 feet tall")]).toEqual([]);
    expect([...agesIn("I'm 67, and my son is 16 so he is free")]).toEqual(["67", "16"]);
  });
});

describe("a day with a name", () => {
  it("is its date, alone, in a list or in a range", () => {
    const shut = "We are shut on 25 and 26 December and on 1 January.";
    expect(ask("are you open on boxing day?", "Beds are free.", shut)).toContain(shut);
    expect(readQuestion("on boxing day").measures.get("box")?.test("from 24th to 28th December")).toBe(true);
    expect(readQuestion("on boxing day").measures.get("box")?.test("on 24 December, 26 lambs")).toBe(false);
    const ferme = "Le magasin est fermé du 24 au 27 décembre.";
    expect(readQuestion("vous ouvrez à Noël ?").measures.get("noel")?.test(ferme)).toBe(true);
    expect(readQuestion("vous ouvrez à la Toussaint ?").measures.get("toussaint")?.test(ferme)).toBe(false);
  });
});
