// When the built-in model is sure of a sentence or a row, when it only shows the closest ones, and which words of a question are no names.
import { describe, expect, it } from "vitest";
import { buildPrompt } from "../../edge-functions/answering/prompt.ts";
import { withoutMeasure } from "../../edge-functions/answering/words.ts";
import { extractReply } from "../../supabase/local/models/extract.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say, sayIn } from "../support/words.ts";

const unsure = [say, sayIn("fr")].flatMap((one) => [one("answers:closest"), one("answers:nothingClose")]);
const isSure = (reply: string) => !unsure.some((opening) => reply.startsWith(opening));

describe("the built-in model", () => {
  it("takes a time, an amount with its unit and a plan's short name for words, not for names that a text must contain", () => {
    const orders =
      "Commande avant 14h : expédition le jour même. Commande après 14h : expédition le lendemain.";
    expect(ask("je commande à 15h, ça part quand ?", orders)).toContain("lendemain");
    const plan = "The company's 401(k) retirement plan has employer matching up to 5% of salary.";
    expect(ask("does the company match 401k contributions", plan)).toContain("5%");
    expect(ask("What does the BT-750 cost?", "The battery costs 849 EUR.")).toBe(say("answers:nothingFits"));
  });

  it("answers who handles a matter by a person beside it, and not by a row without one", () => {
    const roles =
      "| Role | Name |\n| --- | --- |\n| Payroll | Tom Brierley |\n| Logistics | Greta Lindqvist |";
    const grades =
      "| Grade | Examples | Salary band |\n| --- | --- | --- |\n| D | team lead | 48,000 to 62,000 |";
    const reply = ask("Who is in charge of payroll?", grades, roles);
    expect(isSure(reply)).toBe(true);
    expect(reply.split("\n\n")[0]).toContain("Tom Brierley");
    const qui = "| Fonction | Nom |\n| --- | --- |\n| Paie | Anne Morel |\n| Achats | Luc Petit |";
    expect(ask("Qui s'occupe de la paie ?", qui)).toContain("Anne Morel");
    const managers = grades.replace("team lead", "manager");
    expect(isSure(ask("Who is in charge of payroll?", managers))).toBe(false);
  });

  it("is never sure of the sixth passage, which may be there for its words alone", () => {
    const others = ["Ferns", "Kilns", "Sails", "Bells"].map((things) => `${things} are cleaned in May.`);
    const phone = "The night porter's phone number is 01632 960 411.";
    const asked = "What is the night porter's phone number?";
    expect(isSure(ask(asked, ...others, phone))).toBe(true);
    expect(isSure(ask(asked, ...others, "Looms are cleaned in May.", phone))).toBe(false);
    expect(ask(asked, ...others, "Looms are cleaned in May.", phone)).toContain(phone);
  });

  it("counts no workers in one working day", () => {
    const mail = "Emails to the Tillac team are answered within one working day.";
    expect(isSure(ask("How many employees does Tillac have?", mail))).toBe(false);
    const staff = "Tillac has 48 employees.";
    expect(ask("How many employees does Tillac have?", staff)).toBe(`${staff} [1]`);
  });

  it("reads the amount from which something holds without the words that ask for it", () => {
    expect(withoutMeasure("à partir de quel montant la livraison est gratuite").trim()).toBe(
      "montant la livraison est gratuite",
    );
    expect(withoutMeasure("from what amount is it free").trim()).toBe("amount is it free");
    expect(withoutMeasure("À partir de 59 €")).toBe("À partir de 59 €");
  });

  it("is not sure of a price in a row that has none", () => {
    const crossings =
      "| Traversée | Départ | Arrivée | Places véhicules |\n| --- | --- | --- | --- |\n| M1 | Kerlaz 07:15 | Île Morvane 08:20 | 38 |\n| S1 | Kerlaz 08:40 | Saint-Gwen 10:50 | 22 |\n| S2 | Kerlaz 08:50 | Saint-Gwen 11:50 | 22 |";
    const delay = "Au-delà de 90 minutes de retard, un quart du prix est remboursé sur demande.";
    expect(isSure(ask("prix d'une remorque pour morvane", crossings, delay))).toBe(false);
    expect(isSure(ask("prix d'une remorque pour morvane", `## Tarifs\n\n${crossings}`, delay))).toBe(true);
  });

  it("finds a row by a single letter", () => {
    const grades = "| Grade | Bonus |\n| --- | --- |\n| A | 3 % |\n| B | 5 % |\n| C | 8 % |\n| D | 12 % |";
    const reply = ask("how much is the bonus for grade C?", grades);
    expect(isSure(reply)).toBe(true);
    expect(reply).toContain("8 %");
    expect(reply).not.toContain("12 %");
  });

  it("is not sure of a sentence without the question's number", () => {
    const notice = "After probation the notice is two months when you resign.";
    expect(isSure(ask("how much notice do I give if I resign", notice))).toBe(true);
    expect(isSure(ask("how much notice do I give if I resign in my second month", notice))).toBe(false);
  });

  it("is not sure of a surcharge as a price", () => {
    const belgium = "Supplément pour les pièces lourdes, livraison en Belgique : 25 €.";
    expect(isSure(ask("Combien coûte la livraison en Belgique ?", belgium))).toBe(false);
    expect(isSure(ask("Combien coûte le supplément de livraison en Belgique ?", belgium))).toBe(true);
  });

  it("is sure although a passage that has less of the question gives another number", () => {
    const leave = "Parents have 27 days of leave per year.";
    const reply = ask(
      "How many days of leave do parents have per year?",
      leave,
      "Parents have ten sick days per year.",
    );
    expect(isSure(reply)).toBe(true);
    expect(reply).toContain(leave);
  });

  it("takes how much somebody has for no question about a rule", () => {
    const leave = "## Annual leave\n\nEveryone has 27 days of paid leave per calendar year.";
    const carried = "Up to five unused days move into the next year and must be taken by the end of March.";
    const reply = ask("How many days of annual leave do I have?", `${leave}\n\n${carried}`);
    expect(reply).toMatch(/^Everyone has 27 days/);
  });

  it("is not sure when another passage answers as well with another number", () => {
    const returned = "You may return furniture within 30 days.";
    const money = "Returned furniture is collected within 14 days of your call.";
    const question = "Within how many days is returned furniture collected?";
    expect(isSure(ask(question, money))).toBe(true);
    const other = "Returned furniture is collected in Lyon within 5 days.";
    expect(isSure(ask(question, money, other))).toBe(false);
    const same = "Call us: returned furniture is collected within 14 days.";
    expect(isSure(ask(question, money, same))).toBe(true);
    expect(isSure(ask(question, money, returned))).toBe(true);
  });

  it("takes a heading for a part of the thing that is defined", () => {
    const codes = "## Error codes\n\n- 404: Not Found, the resource does not exist\n- 429: Too Many Requests";
    const reply = ask("what does error 429 mean", codes);
    expect(isSure(reply)).toBe(true);
    expect(reply).toContain("Too Many Requests");
  });

  it("prefers a section whose higher heading has the question's word to a document with that title", () => {
    const section = (index: number, title: string, heading: string, content: string) => ({
      index,
      title,
      heading,
      content,
      preface: "",
      page: null,
    });
    const reply = extractReply(
      buildPrompt({
        agent: { name: "Helper", instructions: "" },
        passages: [
          section(1, "Enterprise", "Tiers › Starter › Uptime", "The uptime is 99.5 % a month."),
          section(2, "Tiers", "Tiers › Enterprise › Uptime", "The uptime is 99.9 % a month."),
        ],
        history: [],
        question: "What is the uptime for Enterprise?",
        nonce: "n",
        grounded: true,
      }),
    );
    expect(reply.split("\n\n").find((line) => line.includes("%"))).toContain("99.9 %");
  });

  it("takes no bonus for the pay, unless it is asked for", () => {
    const bonus = "Une prime de 300 € est versée en décembre aux salariés présents depuis six mois.";
    expect(isSure(ask("When do staff get their money each month?", bonus))).toBe(false);
    expect(isSure(ask("Quand est versée la prime aux salariés ?", bonus))).toBe(true);
  });

  it("is sure of the question's own word beside a synonym in another passage", () => {
    const leave = "## Congés payés\n\nChaque salarié a droit à 27 jours ouvrés de congés payés par an.";
    const others = "## RTT\n\nLe forfait donne droit à 11 jours de RTT par an.";
    expect(isSure(ask("Combien de jours de congé ai-je ?", leave, others))).toBe(true);
    expect(isSure(ask("Combien de jours de congé ai-je ?", others, others.replace("11", "12")))).toBe(false);
  });

  it("begins with the section that is headed by the question, when another sentence is as close", () => {
    const parents = "## Parents\n\nA sick child under 14: up to ten paid days per year.";
    const note = "In Leeds, a doctor's note is needed from the eighth day on.";
    const illness = `## Illness\n\nTell your lead before ten.\n\n- ${note}`;
    expect(ask("What do I do if I'm sick?", parents, illness).split("\n\n").slice(0, 2)).toEqual([
      say("answers:closest"),
      "Tell your lead before ten. [2]",
    ]);
    expect(isSure(ask("What do I do if I'm sick?", parents))).toBe(true);
  });

  it("takes a week in short for a time, and hours only behind it", () => {
    const card = (hours: string) => `## Contact\n\nPhone: 555-0134\nOpening hours: ${hours}`;
    expect(isSure(ask("When are you open?", card("Mon-Fri 9-17")))).toBe(true);
    expect(isSure(ask("Quand êtes-vous ouverts ?", card("lun. – ven. 9-17")))).toBe(true);
    expect(isSure(ask("When are you open?", card("see door 9-17")))).toBe(false);
  });

  it("is unsure of two rows that count the same thing: neither number is their sum", () => {
    const table = (rows: string) => `| Depot | Van | Seats |\n| --- | --- | --- |\n${rows}`;
    const [first, second] = ["| Aachen | V1 | 3 |", "| Aachen | V2 | 9 |"];
    expect(isSure(ask("How many seats are there in Aachen?", table(first)))).toBe(true);
    expect(isSure(ask("How many seats are there in Aachen?", table(`${first}\n${second}`)))).toBe(false);
  });

  it("quotes the sentences behind one that is no time, amount or person", () => {
    const meter =
      "- E2: the battery of the meter is low. Change both cells.\n- E4: the value is out of range.";
    expect(ask("The battery of the meter is low, what now?", meter)).toBe(
      "E2: the battery of the meter is low. Change both cells. [1]",
    );
    expect(ask("When does the shop open?", "The shop opens at 9 am. It sells bread.")).toBe(
      "The shop opens at 9 am. [1]",
    );
  });

  it("is unsure of a sentence of a later passage that has mostly synonyms, beside a rival", () => {
    const told = "The guarantee lasts two years.";
    const rival = "The text of the warranty is long.";
    expect(isSure(ask("How long is the warranty?", told, rival))).toBe(true);
    expect(isSure(ask("How long is the warranty?", rival, told))).toBe(false);
  });

  it("is sure of a time that lacks much of the question only when several passages have no sentence half as good", () => {
    const told = "The dump sells compost at 9 am.";
    const others = ["Bread is sold.", "Cats are fed.", "Rain falls.", "Songs are sung."];
    const question = "When does the municipal dump sell compost?";
    expect(isSure(ask(question, told, ...others))).toBe(true);
    expect(isSure(ask(question, told, ...others, "The dump sells compost until 6 pm."))).toBe(false);
    expect(isSure(ask(question, told))).toBe(false);
  });
});

describe("a sure answer", () => {
  it("is a bound of a weight that excludes the one of a question whether something is possible", () => {
    expect(ask("I have a parcel of 40 kg, is that ok?", "A parcel may weigh up to 31 kg.")).toMatch(
      /^A parcel/,
    );
  });
  it("is a bound of an amount of money, with its sign before or behind the number", () => {
    for (const bound of ["up to £500", "up to 500 pounds"])
      expect(ask("Who signs a £300 order?", `Orders ${bound} are signed by Ines Hall.`)).toMatch(/^Orders/);
  });
  it("is when a place is open, for when it closes", () => {
    const hours = "The library is open from 9 am to 6 pm.";
    expect(ask("When does the library close?", hours)).toBe(`${hours} [1]`);
  });
  it("is what happens, where French asks for no person", () => {
    const lapse = "Les congés non pris sont perdus au 31 mai.";
    expect(ask("Qu'est-ce qui se passe avec les congés non pris ?", lapse)).toBe(`${lapse} [1]`);
  });
  it("is no pay day where the question is whether somebody is paid", () => {
    const sick = "Sick pay starts on the fourth day.";
    expect(ask("Am I paid when I am sick?", sick, "Payday is the 27th.")).toBe(`${sick} [1]`);
  });
  it("is that a thing costs nothing, for whether it is free", () => {
    expect(ask("Is parking free?", "Parking costs nothing for two hours.")).toMatch(/^Parking/);
  });
});

describe("a document's own question", () => {
  it.each([
    ["Who waters the plants in the hall?", "The porter, on Mondays."],
    ["Qui arrose les plantes de l’entrée ?", "Le concierge, le lundi."],
    ["When does the annex open?", "As soon as the roof is dry."],
  ])("%s is answered by what stands below it", (question, answer) => {
    expect(isSure(ask(question, `${question}\n\n${answer}`))).toBe(true);
  });

  it("is another one when it asks for another kind, another number, or for less", () => {
    const written = "Who waters the 3 plants in the hall?\n\nThe porter does.";
    for (const asked of [
      "When does somebody water the 3 plants in the hall?",
      "Who waters the 5 plants in the hall?",
      "Who waters the 3 plants in the hall and the garden?",
    ])
      expect(isSure(ask(asked, written)), asked).toBe(false);
  });
});

describe("a row", () => {
  it("is sure by its whole name, of two words, where only the title has the rest", () => {
    const invoice =
      "| Item | Amount |\n| --- | --- |\n| Door | 620.00 |\n| Total HT | 620.00 |\n| Total TTC | 744.00 |";
    const reply = ask("quel est le total TTC de la facture ?", { title: "facture.csv", content: invoice });
    expect(isSure(reply)).toBe(true);
    expect(reply).toContain("744.00");
  });
  it("is unsure beside one with the word that it lacks", () => {
    const soins =
      "| Soin | Prix |\n| --- | --- |\n| Massage aux pierres chaudes | 82 € |\n| Modelage du dos | 45 € |";
    expect(isSure(ask("combien coûte un massage du dos", soins))).toBe(false);
    expect(isSure(ask("combien coûte un massage aux pierres chaudes", soins))).toBe(true);
  });
});

describe("a time at which something is not done", () => {
  it("does not tell when it is done", () => {
    expect(isSure(ask("When do you ship cheese?", "From June to August cheese is not shipped."))).toBe(false);
    expect(isSure(ask("When do you not ship cheese?", "From June to August cheese is not shipped."))).toBe(
      true,
    );
  });
});

describe("a count", () => {
  it("is unsure when the number beside the counted thing counts something else", () => {
    const rule =
      "Après quatre absences entre deux concerts, le chef peut décider qu'un choriste ne chante pas.";
    const others = "Le parking ferme à 22 h.";
    expect(ask("Combien de choristes sommes-nous ?", rule, others)).not.toBe(`${rule} [1]`);
    const fact = "Nous sommes 74 choristes.";
    expect(ask("Combien de choristes sommes-nous ?", rule, fact)).toBe(`${fact} [2]`);
    const duty = "Chaque adhérent assure trois distributions par saison.";
    expect(ask("combien y a t il d'adhérents", duty, others)).not.toBe(`${duty} [1]`);
  });

  it("is told by no article where no thing is named", () => {
    const box = "Une boîte de chocolats à Noël est tolérée.";
    expect(isSure(ask("on est combien dans la boite", box, "Le parking ferme à 22 h."))).toBe(false);
  });
});
