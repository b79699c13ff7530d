// How the built-in model selects an answer: the text below a heading, the kind of value, and synonyms. Each question has a few passages of
// its own.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fitOf, isAged } from "../../edge-functions/answering/answer-kinds.ts";
import { readQuestion } from "../../supabase/local/models/question.ts";
import { unitsOf } from "../../supabase/local/models/reading.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import fc from "../support/property-cases.ts";
import { say } from "../support/words.ts";

const unsure = say("answers:closest");
const notTreated = say("answers:nothingClose");
const isRefused = (reply: string) =>
  reply.startsWith(unsure) || reply.startsWith(notTreated) || !/\[\d\]/.test(reply);

const textsOf = (text: string, label = "") => unitsOf({ number: 1, label, text }, 0).map((unit) => unit.text);

describe("a question of which a sentence covers little", () => {
  const terms = "Parcels leave the depot at noon.";

  it("gets the closest sentence from a sixth of the question, said to be that", () => {
    expect(ask("Which parcels carry violins, trombones, clarinets?", terms)).toBe(
      `${notTreated}\n\n${terms} [1]`,
    );
  });
  it("gets it from the two best passages below that, and a plain refusal from a later one", () => {
    const asked = "Which parcels carry violins, trombones, clarinets, cellos, oboes?";
    const kiln = "The kiln is lit on Mondays.";
    // Both passages begin the search's list: what they say is shown below the sentence.
    expect(ask(asked, terms, kiln)).toBe(`${notTreated}\n\n${terms} [1]\n\n${kiln} [2]`);
    expect(ask(asked, kiln, terms)).toBe(`${notTreated}\n\n${terms} [2]\n\n${kiln} [1]`);
    expect(ask(asked, kiln, "Bread is sold out.", terms)).toBe(say("answers:nothingFits"));
  });
});

describe("a numbered heading", () => {
  const terms =
    "2. Fuel surcharge\n\nIt changes each month. It stood at 11.2 % in January.\n\nArticle 5. Housing\n\nA shared flat costs 240 euros a month.";

  it("is never the answer, and names the subject of the text below it", () => {
    expect(ask("What is the fuel surcharge?", terms)).toContain("11.2 %");
    expect(ask("How much is the housing?", terms)).toContain("240 euros");
  });
  it("is one heading with its number, or with a dash behind it", () => {
    const minutes = "## 3. New ticket system\n\nThe pilot begins on 3 November.";
    const contract = "Article 2 – Withdrawal\n\nThe customer may withdraw within 14 days.";
    expect(textsOf(minutes)).toEqual(["The pilot begins on 3 November."]);
    expect(ask("When does the ticket system begin?", minutes)).toBe("The pilot begins on 3 November. [1]");
    expect(textsOf(contract)).toEqual(["The customer may withdraw within 14 days."]);
  });
  it("is recognised by the passage's path, whatever follows it", () => {
    const orders = "1. Orders\n\n2. The minimum order is 6 kg.";
    expect(textsOf(orders)).toContain("1. Orders");
    expect(textsOf(orders, " terms.pdf · Terms for shops › 1. Orders · p. 1")).not.toContain("1. Orders");
  });
  it("is none in a list, whose items answer", () => {
    const list = "## To bring\n\n1. Rubber boots\n2. Sleeping bag";
    expect(ask("Do I bring a sleeping bag?", list)).toContain("Sleeping bag [1]");
  });
});

describe("the requested kind of value", () => {
  it("must occur in the quote, or the reply says that it is unsure", () => {
    expect(
      isRefused(ask("When is the lift pass desk closed?", "The lift pass desk is closed by a guard.")),
    ).toBe(true);
    expect(isRefused(ask("How many rooms has the lodge?", "The lodge has rooms by the lake."))).toBe(true);
    expect(ask("What does the lift pass cost?", "The lift pass costs 30 euros.")).toBe(
      "The lift pass costs 30 euros. [1]",
    );
  });
  it("is no phone number in a row that has none", () => {
    const row = "| Office | Manager | Opened |\n| --- | --- | --- |\n| Leeds | Tunde Abara | 2015 |";
    expect(isRefused(ask("What is the phone number of Tunde Abara?", row))).toBe(true);
    expect(ask("Who is the manager in Leeds?", row)).toContain("Tunde Abara");
  });
  it("is a count when the number precedes the counted noun", () => {
    const texts = ["Fill in the accident form within 24 hours.", "There were 14 accidents at the yard."];
    expect(ask("How many accidents?", ...texts)).toContain("14 accidents");
  });
  it("is a time of day for an hour", () => {
    expect(["Phone us before 7.15 am.", "We open at 8 am."].map((text) => fitOf("when", text))).toEqual([
      1, 1,
    ]);
  });
  it("is a measure with its unit", () => {
    expect(ask("What is the weight of a pallet?", "A pallet is up to 220 cm high and 900 kg.")).toBe(
      "A pallet is up to 220 cm high and 900 kg. [1]",
    );
  });
  it("is a person when asked who acts in an event", () => {
    expect(readQuestion("Qui prévient les parents quand un enfant est blessé ?").kind).toBe("who");
    expect(readQuestion("When does the person who cleans come?").kind).toBe("when");
  });
});

describe("the subject of a quote", () => {
  it("is more than the name in the question", () => {
    expect(isRefused(ask("Who replaces Luc Tessier?", "Present: Solange Ducret, Luc Tessier."))).toBe(true);
    expect(isRefused(ask("Who is the CEO of Corvane?", "Corvane Freight was founded in 1987."))).toBe(true);
  });
  it("matches the question in its row", () => {
    const text = "Question: Where is data hosted?\nAnswer: In Frankfurt.";
    const [row] = unitsOf({ number: 1, label: "", text }, 0);
    expect([...(row?.answers ?? [])]).toContain("host");
    expect([...(row?.terms ?? [])]).toEqual(["frankfurt"]);
  });
  it("is a code or a number in either spelling", () => {
    const rows = "| Vehicle | Inspection |\n| --- | --- |\n| Truck 03 | May |\n| Truck 04 | June |";
    expect(ask("When is the inspection of truck 3?", rows)).toContain("| Truck 03 | May [1] |");
    expect(ask("Do you have SOC2?", "SOC 2 is not planned.")).toContain("SOC 2 is not planned.");
  });
  it("selects the price column among many", () => {
    const row =
      "| Course | Day | Hour | Minutes | Places | Coach | Extra (EUR) |\n| --- | --- | --- | --- | --- | --- | --- |\n| Climbing | Friday | 13:30 | 150 | 8 | Marc | 12 |";
    expect(ask("How much does climbing cost?", row)).toContain("| 12 [1] |");
  });
  it("is an amount of money for what something costs, and of anything for how much there is", () => {
    for (const question of [
      "c'est combien par mois pour stocker un meuble ?",
      "combien coûtent les meubles ?",
      "ça coûte combien, un meuble ?",
      "how much do we earn?",
    ])
      expect(readQuestion(question).kind, question).toBe("price");
    expect(readQuestion("combien de meubles ?").kind).toBe("howMany");
    const weight = "Un meuble de plus de 80 kg va sur le monte-meubles.";
    const rent = "Le dépôt d'un meuble coûte 95 CHF.";
    expect(ask("c'est combien pour stocker un meuble ?", weight, rent)).toContain(rent);
  });
  it("ignores stop words of speech", () => {
    expect(readQuestion("combien ça coûte, la médaille ?").terms).toEqual(["cout", "medaill"]);
    expect(readQuestion("what if I'm late and don't pay?").terms).toEqual(["lat", "pay"]);
  });
});

describe("two questions in one", () => {
  const pitch = "A food pitch costs 1,450 EUR. Half is payable on signature, the balance by 1 June.";
  const hours = "The office is open from Monday to Friday. Keys are kept by Maud Perrin.";

  it("are answered one after the other", () => {
    const said = ask("what does a food pitch cost and when is the balance payable?", hours, pitch);
    expect(said).toContain("1,450 EUR");
    expect(said).toContain("1 June");
    expect(isRefused(said)).toBe(false);
    const french = ask("combien coûte un emplacement et qui garde les clés ?", pitch, hours);
    expect(french.split("1,450 EUR").length).toBeLessThanOrEqual(2);
  });
  it("are not seen in one question about two things", () => {
    const said = ask("are keys and badges kept by Maud Perrin?", hours);
    expect(said).toContain("Keys are kept by Maud Perrin.");
  });
});

describe("a number under a rule", () => {
  const accord = "Jusqu’à 300 euros, l’accord de Julien Fabre est nécessaire.";
  const beyond = "Au-delà de 300 euros, l’accord de Nadia Benali est nécessaire.";

  it("is answered by the rule on its side", () => {
    expect(ask("Qui décide de 500 euros ?", `${accord} ${beyond}`)).toContain("Nadia Benali");
    expect(ask("Qui décide de 200 euros ?", `${beyond} ${accord}`)).toContain("Julien Fabre");
  });
  it("is an age beside an age limit, and no price with the same figure", () => {
    const child = readQuestion("do I have to pay for my 8 year old?").measures.get("8");
    expect(child?.test("Children up to the age of 11 are admitted free of charge.")).toBe(true);
    expect(child?.test("Parking costs 8 EUR a day.")).toBe(false);
  });
});

describe("a permission", () => {
  it("is answered by a rule before text that only names the same things", () => {
    const tents = "Tents stand beside the lake. Tents are prohibited in the park.";
    expect(ask("can I put up my tent?", tents)).toContain("prohibited");
    expect(ask("where are the tents?", tents)).toContain("lake");
  });
});

it("conversational words that no text has do not prevent an answer", () => {
  const terms = "Complaints are addressed to Delphine Arnoux, customer relations.";
  expect(ask("I just want to moan about something, who do I write to?", terms)).toContain("Delphine Arnoux");
  expect(isRefused(ask("I just want a sauna, where is something like that?", terms))).toBe(true);
});

describe("a time, a day and a number", () => {
  it("asked for by the clock is not answered by a day or a month", () => {
    const shops =
      "The Station shop had 9 complaints in January.\n\nThe Station shop opens its doors at 6 am.";
    expect(ask("What time does the Station shop open?", shops)).toContain("6 am");
    expect(isRefused(ask("What time does the Station shop open?", "The Station shop opens in May."))).toBe(
      true,
    );
    expect(fitOf("clock", "Rooms are ready from noon.")).toBe(1);
  });
  it("is a moment where a day of the month is counted", () => {
    for (const told of [
      "Wages are paid on the last working day of the month.",
      "Les salaires sont versés le 28.",
    ])
      expect(fitOf("when", told)).toBe(1);
    expect(fitOf("when", "Le 28 rue Foch est fermé.")).toBeLessThan(1);
  });
  it("of Saturday and Sunday is answered by what applies at weekends", () => {
    const hours = "Breakfast ends at 10 am.\n\nAt weekends breakfast ends at 11 am.";
    expect(ask("When does breakfast end on Saturday?", hours)).toBe(
      "At weekends breakfast ends at 11 am. [1]",
    );
    expect(ask("When does breakfast end on Friday?", hours)).not.toContain("11 am");
  });
  it("matches a range that contains it, whichever number it is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 49 }), fc.integer({ min: 1, max: 19 }), (within, outside) => {
        const { measures } = readQuestion(`What discount do I get for ${within} kg a month?`);
        expect(measures.get(String(within))?.test("20 to 49 kg: 18 %")).toBe(true);
        const other = readQuestion(`What discount do I get for ${outside} kg a month?`).measures;
        expect(other.get(String(outside))?.test("20 to 49 kg: 18 %")).toBe(false);
      }),
    );
  });
  it("is not answered by a rule whose limit excludes it", () => {
    const rules =
      "## Refunds\n\nUp to 300 euros Julien Fabre decides on refunds.\n\nAbove that Nadia Benali decides on refunds.";
    expect(ask("Who decides on a refund of 500 euros?", rules)).toMatch(
      /^(?:.*:\n\n)?Above that Nadia Benali/,
    );
  });
});

describe("a heading with the words of the question only", () => {
  it("lets the text below it answer before one that shares a word", () => {
    const care =
      "## Returns\n\nThe customer pays for a parcel.\n\n## Damaged parcels\n\nSend a photo within 48 hours.";
    expect(ask("My parcel is damaged, what do I do?", care)).toBe("Send a photo within 48 hours. [1]");
  });
  it("does not outweigh a sentence below it that shares more words with the question", () => {
    const sections = readFileSync("supabase/seed/time-off.md", "utf8").split(/\n(?=## )/);
    expect(ask("How many days of annual leave do I have?", ...sections)).toContain("27 days");
  });
});

it("a question for a price asks about the thing itself, not about the place that it is in", () => {
  const price = "The seminar costs 214 euros in a single bedroom.";
  expect(isRefused(ask("What is the price of breakfast in the bedroom?", price))).toBe(true);
  expect(ask("What is the price of the seminar?", price)).toContain("214 euros");
});

it("a question for the number of a person asks for a phone number", () => {
  for (const asked of [
    "Who is the safety officer? What is her number?",
    "Qui est responsable ? Quel est son numéro ?",
  ])
    expect(readQuestion(asked).kind).toBe("phone");
});

describe("quotes that match nearly as well", () => {
  const rules =
    "A doctor signs the certificate for skiers. A doctor signs the certificate for divers. It is free.";

  it("are quoted beside the best one", () => {
    const said = ask("Which certificate does a doctor sign?", rules);
    expect(isRefused(said)).toBe(false);
    expect(said).toContain("for skiers");
    expect(said).toContain("for divers");
  });
  it("are left out when they lack the kind of answer that the best one has", () => {
    const bus = "The bus to the lake leaves at 9 am. The bus to the lake is blue.";
    expect(ask("When does the bus to the lake leave?", bus)).toBe("The bus to the lake leaves at 9 am. [1]");
  });
  it("are left out when they have the words of a phrase apart", () => {
    const texts = ["A full week is 38 hours.", "The parent who gives birth has 20 weeks at full pay."];
    expect(ask("How long is a full week?", ...texts)).toBe(`${texts[0]} [1]`);
    const more = ["A full week is 38 hours.", "In the workshop a full week is 40 hours."];
    expect(ask("How long is a full week?", ...more)).toContain("40 hours");
  });
  it("are left out in another language, where they say the same again", () => {
    const english =
      "Everyone has 27 days of paid leave per calendar year, plus the public holidays of the country they work in.";
    const french =
      "Chaque salarié a droit à 27 jours ouvrés de congés payés par année civile, auxquels s’ajoutent les jours fériés.";
    expect(ask("How many days of holiday do I have?", english, french)).toBe(`${english} [1]`);
  });
});

describe("a question whether something is there", () => {
  it("is not answered by a part of the thing", () => {
    const hotel = "Each room has a safe. A ski locker costs 3 euros a night.";
    expect(isRefused(ask("Are there ski lessons?", hotel))).toBe(true);
    expect(isRefused(ask("Is there a heated ski locker?", hotel))).toBe(true);
    expect(isRefused(ask("Is there a ski locker?", hotel))).toBe(false);
    expect(isRefused(ask("Gardez-vous les chiens ?", "Nous ne gardons pas les chiens."))).toBe(false);
  });
  it("is not answered by synonyms alone", () => {
    expect(isRefused(ask("Is there a gym?", "La salle de sport a un écran."))).toBe(true);
    expect(isRefused(ask("Is there a gym?", "The gym has a mirror."))).toBe(false);
  });
});

it("an answer covers half of the question, or the reply says that it is unsure", () => {
  const bills = "The heating is serviced in March by a firm from Leeds.";
  expect(isRefused(ask("When does the swimming club paint the heating cellar?", bills))).toBe(true);
  expect(isRefused(ask("When is the heating serviced?", bills))).toBe(false);
});

describe("an age and a wage", () => {
  it("are not any number", () => {
    expect(isRefused(ask("How old is Bridget Nolan?", "Ask Bridget Nolan at least 15 days ahead."))).toBe(
      true,
    );
    expect(isRefused(ask("How old is Bridget Nolan?", "Bridget Nolan is 61 years old."))).toBe(false);
    expect(["From 16.", "Aged 8 to 14.", "Dès 16 ans."].map(isAged)).toEqual([true, true, true]);
    expect(["At least 15 days.", "Under 30 minutes."].map(isAged)).toEqual([false, false]);
  });
  it("are an amount of money when somebody's earnings are asked", () => {
    expect(
      isRefused(ask("How much does a mechanic earn?", "A mechanic earns respect for 4 bars of pressure.")),
    ).toBe(true);
    expect(ask("How much does a mechanic earn?", "A mechanic earns 2,100 euros.")).toContain("2,100 euros");
  });
});

it("a “when” that begins a clause does not ask for a time, and an inversion asks for yes or no", () => {
  const kinds = [
    ["What happens when the alarm rings at night?", "any"],
    ["Que faire quand le robot affiche une erreur ?", "howTo"],
    ["Must I be there when you deliver?", "yesNo"],
    ["Do you know when breakfast is served?", "when"],
    ["Until when can I cancel?", "when"],
    ["C'est ouvert quand ?", "when"],
    ["Les chiens sont-ils acceptés ?", "yesNo"],
    ["Quand le jardin ouvre-t-il ?", "when"],
  ];
  expect(kinds.map(([asked = ""]) => readQuestion(asked).kind)).toEqual(kinds.map(([, kind]) => kind));
});

it.each([
  ["Who signs late reports?", "Reports are due within a month. Later ones are signed by the director."],
  [
    "Qui signe les rapports en retard ?",
    "Les rapports sont remis sous un mois. Ceux en retard sont signés par le chef.",
  ],
])("a sentence that points back is quoted with the one before it: %s", (question, text) => {
  expect(ask(question, text)).toContain(text);
});

describe("a reply that is not sure", () => {
  it("shows the closest sentence that shares a quarter of the question, and the second passage", () => {
    const texts = ["We do not accept cheques.", "The yard opens at eight.", "The lift is new."];
    expect(ask("Can I settle an invoice by cheques?", ...texts)).toBe(
      `${notTreated}\n\nWe do not accept cheques. [1]\n\nThe yard opens at eight. [2]`,
    );
  });
  it("quotes a sentence once, although the next one refers back to it", () => {
    const text = "A helmet costs 12 euros. It is returned by Friday evening.";
    const reply = ask("By when is the borrowed helmet of a beginner returned?", text);
    expect(reply.split("A helmet costs 12 euros.").length).toBe(2);
  });
  it("quotes a sentence of a document whose title has most words of the question", () => {
    const content = "The helmet is collected at the desk.";
    const reply = ask("Where is the helmet for the alpine kayak regatta collected?", {
      title: "Alpine kayak regatta",
      content,
    });
    expect(reply).toContain("The helmet is collected at the desk. [1]");
    expect(isRefused(reply)).toBe(true);
  });
  it("is given when every sentence lacks a significant word of the question", () => {
    const texts = ["The gate for lorries is locked at night.", "The gate for visitors is locked at night."];
    expect(isRefused(ask("Is the gate for cyclists locked at night?", ...texts))).toBe(true);
    expect(isRefused(ask("Is the gate for lorries locked at night?", ...texts))).toBe(false);
  });
});

describe("an answer", () => {
  it("covers most of the question, where two quotes match nearly as well", () => {
    const sections = readFileSync("supabase/seed/time-off.md", "utf8").split(/\n(?=## )/);
    expect(ask("Can I carry over unused leave?", ...sections)).toMatch(/^Up to five unused days/);
  });
  it("names a person when the question asks for one", () => {
    const absence = "Tell your manager before ten o'clock on the first day.";
    const founder = "The manager of the workshop is Imogen Hart.";
    expect(isRefused(ask("Who is the boss?", absence))).toBe(true);
    expect(ask("Who is the boss?", founder)).toBe("The manager of the workshop is Imogen Hart. [1]");
  });
  it("has the words together when the question is one phrase", () => {
    expect(isRefused(ask("How long is a full week?", "Full pay continues for 12 weeks per year."))).toBe(
      true,
    );
    expect(ask("How long is a full week?", "A full week has 37.5 hours.")).toBe(
      "A full week has 37.5 hours. [1]",
    );
  });
  it("names the payday when asked about pay, and the day of a refund when asked about expenses", () => {
    const money =
      "A half-hour break is paid from 06:30 on. Payday is the 27th of each month.\n\n## Getting your money back\n\nFinance settles expenses every Thursday.";
    expect(ask("When do I get paid?", money)).toMatch(/^Payday is the 27th/);
    expect(ask("Quand est-on payé ?", money)).toMatch(/^Payday is the 27th/);
    expect(ask("When are expenses paid back?", money)).toMatch(/^Finance settles expenses every Thursday/);
  });
});
