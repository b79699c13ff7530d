// Computing a question over a sheet, in English and French, and when it is left to search.
import { describe, expect, it } from "vitest";
import { dayOf } from "../../edge-functions/_shared/text/cell-values.ts";
import { planSheet } from "../../edge-functions/answering/sheet-plan.ts";
import { groupsSaid, tableSaid } from "../../edge-functions/answering/sheet-results.ts";
import { readSheetQuestion } from "../../edge-functions/answering/sheet-words.ts";
import { columns, planOf as planOver, sheet } from "../support/sheet-plans.ts";

const prices = sheet(
  "price-list.csv",
  columns({
    Article: ["A-1", "A-2", "A-3"],
    Name: ["Family bicycle", "Fast charger 4 A", "Charger 2 A"],
    Category: ["Cargo bicycle", "Charger", "Charger"],
    "Price EUR": ["4190", "139", "89.5"],
    "Weight kg": ["41", "0.9", "0.6"],
    Stock: ["7", "0", "150"],
  }),
);
const invoices = sheet(
  "factures.csv",
  columns({
    Facture: ["F1", "F2", "F3"],
    Client: ["Atelier Martin", "Coop", "Coop"],
    Date: ["03/01/2026", "25/03/2026", "30/03/2026"],
    "Montant TTC": ["1 234,50 €", "20 €", "30 €"],
  }),
);
const contacts = sheet(
  "handbook.md",
  columns({ Question: ["Pay", "Laptops"], Where: ["people@x.test", "it@x.test"] }),
);
const boats = sheet(
  "boats.csv",
  columns({
    Boat: ["Petrel", "Gannet", "Albatross"],
    Type: ["Kettle boat", "Yacht", "Yacht"],
    "Length (m)": ["4.2", "9.1", "10.4"],
    "Day rate (£)": ["45", "320", "290"],
    "Power (hp)": ["0", "20", "29"],
  }),
);
const purchases = sheet(
  "achats.csv",
  columns({
    Article: ["Gilets", "Voile"],
    Fournisseur: ["Nautisport", "Voilerie Marchand"],
    Quantité: ["20", "1"],
    "Coût (€)": ["1180", "1450"],
  }),
);
const all = [prices, invoices, contacts];
const planOf = (question: string, sheets = all) => planOver(question, sheets);

describe("a question over a sheet", () => {
  it.each([
    ["What is the cheapest charger?", "price-list.csv | smallest | Price EUR | Category = Charger"],
    ["Quel est le chargeur le moins cher ?", "price-list.csv | smallest | Price EUR | Category = Charger"],
    ["Which bicycle is the heaviest?", "price-list.csv | largest | Weight kg | Category = Cargo bicycle"],
    ["How many chargers are in the price list?", "price-list.csv | count | rows | Category = Charger"],
    ["How many fast chargers are in stock?", "price-list.csv | sum | Stock | Name = Fast charger 4 A"],
    ["Which articles are out of stock?", "price-list.csv | list | rows | Stock ≥0 ≤0"],
    ["how many products cost under 20 €", "price-list.csv | count | rows | Price EUR > <20"],
    ["Combien de produits coûtent au plus 1 000 € ?", "price-list.csv | count | rows | Price EUR ≥ ≤1000"],
    [
      "Which products cost between 50 and 150 euros?",
      "price-list.csv | list | Price EUR | Price EUR ≥50 ≤150",
    ],
    [
      "What is the average weight of the chargers?",
      "price-list.csv | average | Weight kg | Category = Charger",
    ],
    ["Quelle est la facture la plus élevée ?", "factures.csv | largest | Montant TTC"],
    [
      "total of invoices in March",
      `factures.csv | sum | Montant TTC | Date ≥${dayOf(2026, 3, 1)} <${dayOf(2026, 4, 1)}`,
    ],
    [
      "Quel est le total des factures de l’Atelier Martin ?",
      "factures.csv | sum | Montant TTC | Client = Atelier Martin",
    ],
    [
      "What are the three cheapest chargers?",
      "price-list.csv | lowest | Price EUR | Category = Charger | most 3",
    ],
    ["Quels sont les 2 articles les plus chers ?", "price-list.csv | highest | Price EUR | most 2"],
    ["What is the total of invoices per client?", "factures.csv | sum | Montant TTC | by Client"],
    ["Quel est le total des factures par mois ?", "factures.csv | sum | Montant TTC | by month of Date"],
    ["How many products are there by category?", "price-list.csv | count | rows | by Category"],
  ])("%s", (question, plan) => {
    expect(planOf(question)).toBe(plan);
  });

  it.each([
    ["Which boat is the longest?", "boats.csv | largest | Length (m)"],
    ["Quel est le bateau le plus puissant ?", "boats.csv | largest | Power (hp)"],
    ["Lequel est le bateau le plus court ?", "boats.csv | smallest | Length (m)"],
    ["What is the cheapest yacht to hire?", "boats.csv | smallest | Day rate (£) | Type = Yacht"],
    ["How many ketle boats are there?", "boats.csv | count | rows | Type = Kettle boat"],
    ["Combien a-t-on dépensé au total ?", "achats.csv | sum | Coût (€)"],
    [
      "Combien avons-nous payé chez Nautisport en tout ?",
      "achats.csv | sum | Coût (€) | Fournisseur = Nautisport",
    ],
    [
      "What is the total of purchases we took from Nautisport?",
      "achats.csv | sum | Coût (€) | Fournisseur = Nautisport",
    ],
    ["Quel est le coût total des achats ?", "achats.csv | sum | Coût (€)"],
    ["Quel est le total des coûts des achats ?", "achats.csv | sum | Coût (€)"],
    ["How many people work with Nautisport?", undefined],
    ["Which boat is the strongest?", undefined],
  ])("%s: the column that the words mean", (question, plan) => {
    const sheets = [boats, purchases];
    if (question.includes("strongest")) sheets[0] = { ...boats, columns: boats.columns.slice(0, 4) };
    expect(planOf(question, sheets)).toBe(plan);
  });

  it("takes the sheet from the question before when a question names none", () => {
    const before = "Quel est le bateau le plus long ?";
    const asked = readSheetQuestion("Et lequel est le moins cher ?", before);
    expect(asked && planSheet(asked, [purchases, boats])?.sheet.title).toBe("boats.csv");
    const whole = readSheetQuestion("Quel achat est le moins cher ?", before);
    expect(whole && planSheet(whole, [boats, purchases])?.sheet.title).toBe("achats.csv");
  });

  it.each([
    "How many employees work here?",
    "How many people work in the company?",
    "How many days does delivery take?",
    "How many titanium chargers are there?",
    "What is the most important rule?",
    "What is the cheapest charger under 20 dollars?",
    "What is the total of invoices in March for Acme?",
    "How many questions are there in the handbook?",
    "Which client has the most invoices?",
    "Which client has the highest total of invoices?",
    "What is the total of invoices per supplier?",
    "How many chargers are not in stock?",
  ])("%s is left to search", (question) => {
    expect(planOf(question)).toBeUndefined();
  });

  it.each([
    ["What does the Fast charger 4 A cost?", "Name = Fast charger 4 A | tells Price EUR"],
    ["How much is the Fast charger 4 A?", "Name = Fast charger 4 A | tells Price EUR"],
    ["What is the price of the fast charger?", "Name = Fast charger 4 A | tells Price EUR"],
    ["Combien coûte le Fast charger 4 A ?", "Name = Fast charger 4 A | tells Price EUR"],
    ["Quel est le prix du Fast charger 4 A ?", "Name = Fast charger 4 A | tells Price EUR"],
    ["How heavy is the Family bicycle?", "Name = Family bicycle | tells Weight kg"],
    ["What does the Family bicycle weigh?", "Name = Family bicycle | tells Weight kg"],
    ["What is the category of A-2?", "Article = A-2 | tells Category"],
  ])("%s is a look-up in a sheet of many rows, and left to search in one of few", (question, plan) => {
    expect(planOf(question)).toBeUndefined();
    expect(planOf(question, [{ ...prices, rowsCount: 400 }])).toBe(`price-list.csv | list | rows | ${plan}`);
  });

  it.each([
    "What does the electric kick scooter cost?",
    "Who is Atelier Martin?",
    "What is the fast charger not for?",
    "What does the Fast charger 4 A cost in France?",
  ])("%s is no look-up", (question) => {
    expect(planOf(question, [{ ...prices, rowsCount: 400 }])).toBeUndefined();
  });

  it("is not computed by a paraphrase, which makes no reply sure", () => {
    const roles = sheet("guide.md", columns({ Role: ["Viewer", "Owner"], May: ["read and chat", "delete"] }));
    expect(planOf("How many people work here?", [roles])).toBeUndefined();
  });

  it("per group gives a table of the groups", () => {
    const plan =
      planSheet(readSheetQuestion("total of invoices per client") ?? expect.fail(), all) ?? expect.fail();
    const groups = [
      { name: "Atelier Martin", rows: 1, value: 1234.5, start: 0, end: 1 },
      { name: "", rows: 2, value: 50.1 + 0.2, start: 2, end: 3 },
    ];
    const figures = { rows: 3, groups: 9, blanks: 1 };
    const sayGroups = (language: "en" | "fr") =>
      groupsSaid(plan, figures, groups, { language, isFirst: true, shown: 2 });
    expect(sayGroups("en")).toBe(
      "Computed from table “factures.csv”: the sum of “Montant TTC” for each “Client”, over 3 rows. Left out, without a number: 1 row. The first 2:\n\n| Client | the sum of “Montant TTC” | Rows |\n| --- | --- | --- |\n| Atelier Martin | 1234.5 EUR | 1 |\n| (empty) | 50.3 EUR | 2 |",
    );
    expect(sayGroups("fr")).toContain("la somme de « Montant TTC » pour chaque « Client », sur 3 lignes.");
    expect(sayGroups("fr")).toContain("| (vide) | 50,3 EUR | 2 |");
  });

  it("with two possible columns or years is reported as ambiguous", () => {
    const two = sheet(
      "prices.csv",
      columns({ Name: ["a", "b"], "Net price": ["1 €", "2 €"], "Gross price": ["1.2 €", "2.4 €"] }),
    );
    const open = planSheet(readSheetQuestion("what is the average of the prices") ?? expect.fail(), [two]);
    expect(open?.unclear).toEqual({ columns: ["Net price", "Gross price"] });
    const years = sheet(
      "invoices.csv",
      columns({ Date: ["2025-03-01", "2026-03-01"], Amount: ["1 €", "2 €"] }),
    );
    const march = planSheet(readSheetQuestion("total of invoices in March") ?? expect.fail(), [years]);
    expect(march?.unclear).toEqual({ years: [2025, 2026] });
    const said = tableSaid(
      march ?? expect.fail(),
      { rows: 0, blanks: 0, sum: 0, average: 0, smallest: 0, largest: 0 },
      [],
      {
        language: "en",
        isFirst: true,
        shown: 0,
      },
    );
    expect(said).toBe("Table “invoices.csv” reaches from 2025 to 2026. Which year do you mean?");
  });

  it("that names a price uses only the column of that name", () => {
    const tickets = sheet(
      "tickets.csv",
      columns({
        Item: ["Day", "Evening", "Shoes"],
        Category: ["Entry", "Entry", "Rental"],
        "Price (EUR)": ["16.50", "11", "5"],
        "Reduced price (EUR)": ["12", "9", "5"],
      }),
    );
    expect(planOf("What is the cheapest entry?", [tickets])).toBe(
      "tickets.csv | smallest | Price (EUR) | Category = Entry",
    );
    expect(planOf("What is the lowest reduced price?", [tickets])).toContain("Reduced price (EUR)");
  });

  it("for rows with a feature uses those that say yes to it", () => {
    const rooms = sheet(
      "rooms.csv",
      columns({
        Room: ["Brunel", "Cabot", "Avon"],
        "Price (GBP)": ["35", "18", "10"],
        Projector: ["yes", "yes", "no"],
      }),
    );
    expect(planOf("Which is the cheapest room with a projector?", [rooms])).toBe(
      "rooms.csv | smallest | Price (GBP) | Projector = yes",
    );
    expect(planOf("How many rooms have a projector?", [rooms])).toBe(
      "rooms.csv | count | rows | Projector = yes",
    );
    expect(planOf("How many rooms have no projector?", [rooms])).toBeUndefined();
  });

  it("about the number of people somewhere counts the matching rows", () => {
    const staff = sheet(
      "staff.csv",
      columns({ Name: ["Ann Ek", "Bo Li", "Cy Ray"], Role: ["Front desk", "Front desk", "Coach"] }),
    );
    expect(planOf("How many people work at the front desk?", [staff])).toBe(
      "staff.csv | count | rows | Role = Front desk",
    );
    expect(planOf("Combien de personnes travaillent au Front desk ?", [staff])).toBe(
      "staff.csv | count | rows | Role = Front desk",
    );
  });

  it("does not take a synonym for a part of a value", () => {
    const staff = sheet(
      "contacts.csv",
      columns({
        Role: ["Responsable du personnel", "Technicien", "Technicien"],
        Site: ["Nantes", "Nantes", "Lyon"],
      }),
    );
    expect(planOf("How many people work in Nantes?", [staff])).toBe(
      "contacts.csv | count | rows | Site = Nantes",
    );
    const incidents = sheet("incidents.csv", columns({ Place: ["Room 214", "Roof"], Cost: ["9 €", "5 €"] }));
    expect(planOf("Combien de chambres y a-t-il ?", [incidents])).toBeUndefined();
  });

  it("counts every row whose list has the value", () => {
    const coaches = sheet(
      "coaches.csv",
      columns({
        Name: ["Ann Ek", "Bo Li", "Cy Ray", "Di Fox"],
        Languages: ["French, English", "French, English, Italian", "English", "French"],
      }),
    );
    expect(planOf("How many English coaches are there?", [coaches])).toBe(
      "coaches.csv | count | rows | Languages = French, English or French, English, Italian or English",
    );
  });

  it("does not count a table in a text by a part of a value", () => {
    const week = sheet(
      "welcome.md",
      columns({ Day: ["Monday", "Tuesday"], "With whom": ["People team", "IT"] }),
    );
    expect(planOf("How many people work here?", [week])).toBeUndefined();
    expect(planOf("How many rows are with the people team?", [week])).toBe(
      "welcome.md | count | rows | With whom = People team",
    );
  });

  it("adds up no money where a number of things is asked", () => {
    const hire = sheet(
      "hire.csv",
      columns({
        Article: ["Flutes", "Plates"],
        "Quantity available": ["480", "300"],
        "Hire (EUR)": ["0.4", "0.3"],
      }),
    );
    expect(planOf("How many flutes do you have in total?", [hire])).toBe(
      "hire.csv | sum | Quantity available | Article = Flutes",
    );
  });

  it("prefers a column with the question's own word to one with a synonym", () => {
    const depots = sheet(
      "depots.csv",
      columns({ Town: ["Leuven", "Ghent"], Docks: ["12", "9"], "Storage places": ["300", "800"] }),
    );
    expect(planOf("Which depot has the most docks?", [depots])).toBe("depots.csv | largest | Docks");
  });

  it("that names none of several tables is reported as ambiguous", () => {
    const other = { ...prices, id: "other", title: "tarif.csv" };
    const open = planSheet(readSheetQuestion("Which is the cheapest?") ?? expect.fail(), [prices, other]);
    expect(open?.unclear).toEqual({ tables: ["price-list.csv", "tarif.csv"] });
    expect(planOf("Which is the cheapest?", [prices, contacts])).toBe(
      "price-list.csv | smallest | Price EUR",
    );
  });

  it("is answered in its language, with the skipped rows and a table of those counted", () => {
    const plan =
      planSheet(readSheetQuestion("total of invoices in March") ?? expect.fail(), all) ?? expect.fail();
    const figures = { rows: 3, blanks: 1, sum: 50.1 + 0.2, average: null, smallest: null, largest: null };
    const rows = [{ cells: ["F2", "Coop", "25/03/2026", "20 €"], start: 0, end: 1 }];
    const sayTable = (language: "en" | "fr") =>
      tableSaid(plan, figures, rows, { language, isFirst: true, shown: 1 });
    expect(sayTable("en")).toBe(
      "Computed from table “factures.csv”: the sum of “Montant TTC” over 2 rows where “Date” is at least 2026-03-01 and before 2026-04-01 is 50.3 EUR. Left out, without a number: 1 row. The first 1:\n\n| Facture | Client | Date | Montant TTC |\n| --- | --- | --- | --- |\n| F2 | Coop | 25/03/2026 | 20 € |",
    );
    expect(sayTable("fr")).toContain("la somme de « Montant TTC », sur 2 lignes, où « Date » est");
    expect(sayTable("fr")).toContain("est 50,3 EUR.");
  });
});

describe("a column that says how many there are of something", () => {
  const hotel = sheet(
    "rooms.csv",
    columns({
      Category: ["Classic", "Family", "Suite"],
      "Surface (m²)": ["18", "34", "62"],
      "Price (€)": ["119", "189", "390"],
      "Number of rooms": ["42", "12", "2"],
    }),
  );
  const branches = sheet(
    "agences.csv",
    columns({
      Agence: ["Nantes", "Rennes"],
      "Chantiers 2025": ["190", "140"],
      "Chantiers 2026": ["214", "151"],
    }),
  );
  const halls = sheet(
    "halls.docx",
    columns({ Salle: ["Mistral", "Lac"], "Demi-journée": ["210 €", "540 €"], Journée: ["340 €", "880 €"] }),
    "Salles",
  );
  const some = [hotel, branches, halls];
  it.each([
    ["How many rooms are there?", "rooms.csv | sum | Number of rooms"],
    ["Combien de chantiers avons-nous faits en 2026 ?", "agences.csv | sum | Chantiers 2026"],
    ["Which room is the biggest?", "rooms.csv | largest | Surface (m²)"],
    ["Quelle salle est la moins chère à la journée ?", "halls.docx | smallest | Journée"],
  ])("%s", (question, plan) => {
    expect(planOf(question, some)).toBe(plan);
  });
});

describe("two tables of one name and different years", () => {
  const ofYears = (name: string, table: Record<string, string[]>) =>
    ["2024", "2026"].map((year) => sheet(`${name}-${year}.csv`, columns(table)));

  it("are editions of a list, of which the newer one counts", () => {
    const lists = ofYears("prices", { Item: ["Lamp", "Stool"], "Price (EUR)": ["20", "30"] });
    expect(planOf("What is the cheapest item?", lists)).toBe("prices-2026.csv | smallest | Price (EUR)");
  });
  it("are both records when they have dates", () => {
    const records = ofYears("takings", { Date: ["2024-03-01"], "Amount (EUR)": ["20"] });
    expect(planOf("What is the total amount?", records)).toBe("takings-2024.csv | sum | Amount (EUR)");
  });
});
