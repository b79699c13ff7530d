// Questions for the extremes of a measure that a column has only as its unit, and words of a question that name no column.
import { expect, it } from "vitest";
import { planSheet, type SheetPlan } from "../../edge-functions/answering/sheet-plan.ts";
import { tableSaid } from "../../edge-functions/answering/sheet-results.ts";
import { readSheetQuestion } from "../../edge-functions/answering/sheet-words.ts";
import { columns, planOf, sheet } from "../support/sheet-plans.ts";

const fans = sheet(
  "fans.csv",
  columns({ Fan: ["Ada", "Bob"], "Level (dB)": ["38", "52"], "Core (°C)": ["90", "70"] }),
);
const tables = sheet("tables.csv", columns({ Table: ["Nora", "Lumi"], Wood: ["oak", "ash"] }));

const clocks = sheet(
  "clocks.csv",
  columns({
    Clock: ["Ada", "Bob"],
    Floor: ["0", "1"],
    "Value (€)": ["18500", "2000"],
    Since: ["1998", "2004"],
  }),
);
const staff = sheet(
  "staff.csv",
  columns({ Name: ["Ada", "Bob"], Role: ["nurse", "cook"], Since: ["2011", "2024"] }),
);
const houses = sheet(
  "houses.csv",
  columns({ House: ["Wharf", "Court"], Flats: ["84", "24"], Lift: ["yes", "no"] }),
);
const care = sheet("care.csv", columns({ Treatment: ["Filling", "Crown"], "Duration (min)": ["40", "90"] }));

const tickets = sheet("tickets.csv", columns({ Key: ["T-1", "T-2"], Status: ["Open", "Done"] }));
const rates = sheet(
  "rates.csv",
  columns({ Country: ["Norway", "Serbia"], SMS: ["0.12", "0.15"], "Data per GB": ["4.50", "5.90"] }),
);
const team = sheet(
  "équipe.xlsx",
  columns({ Nom: ["Ada", "Bob"], "Heures par semaine": ["35", "28"], Ancienneté: ["2", "9"] }),
);
const fees = sheet(
  "tarifs.csv",
  columns({ "Enfants à charge": ["1", "4"], "Maximum par heure": ["4,33 €", "2,17 €"] }),
);

const boats = sheet(
  "boats.csv",
  columns({
    Boat: ["Perch", "Tench"],
    "Length (m)": ["9.5", "12"],
    "Week (€)": ["640", "980"],
    "Weekend (€)": ["300", "420"],
    Fuel: ["diesel", "electricity"],
  }),
);

it.each([
  ["What is the highest hourly price for one child?", fees, undefined],
  ["What is the highest number of children?", fees, "tarifs.csv | largest | Enfants à charge"],
  ["How many tickets are still open?", tickets, "tickets.csv | count | rows | Status = Open"],
  ["Which country has the most expensive data?", rates, "rates.csv | largest | Data per GB"],
  [
    "Combien d'heures par semaine au total pour toute l'équipe ?",
    team,
    "équipe.xlsx | sum | Heures par semaine",
  ],
  ["Which model is the quietest?", fans, "fans.csv | smallest | Level (dB)"],
  ["Quel modèle est le plus bruyant ?", fans, "fans.csv | largest | Level (dB)"],
  ["Which fan is the hottest?", fans, "fans.csv | largest | Core (°C)"],
  ["Which fan has the highest temperature?", fans, "fans.csv | largest | Core (°C)"],
  ["How many tables are made of oak?", tables, "tables.csv | count | rows | Wood = oak"],
  ["What is the total value of the clocks on floor 1?", clocks, "clocks.csv | sum | Value (€) | Floor ≥1 ≤1"],
  ["Who has worked here the longest?", staff, "staff.csv | smallest | Since"],
  ["Qui est là depuis le plus longtemps ?", staff, "staff.csv | smallest | Since"],
  ["Who has been here the longest?", clocks, undefined],
  ["How many houses have a lift?", houses, "houses.csv | count | rows | Lift = yes"],
  ["How many lifts does Wharf have?", houses, undefined],
  ["Total number of flats we manage", houses, "houses.csv | sum | Flats"],
  ["Longest treatment in minutes", care, "care.csv | largest | Duration (min)"],
  ["The longest treatment is how many minutes?", care, "care.csv | largest | Duration (min)"],
  ["The longest boat is how many metres?", boats, "boats.csv | largest | Length (m)"],
  ["Le plus long bateau fait combien de mètres ?", boats, "boats.csv | largest | Length (m)"],
  ["How many boats contain diesel?", boats, "boats.csv | count | rows | Fuel = diesel"],
  ["How many different tables are made of oak?", tables, "tables.csv | count | rows | Wood = oak"],
])("%s", (question, one, plan) => {
  expect(planOf(question, [one])).toBe(plan);
});

it("a price that may be any of several columns shows all of them", () => {
  const asked = readSheetQuestion("What does the Perch cost?");
  const plan = asked && planSheet(asked, [{ ...boats, rowsCount: 40 }]);
  expect(plan?.mayBe).toEqual([2, 3]);
  expect(plan?.asked).toBeUndefined();
});

const cabins = sheet(
  "cabins.csv",
  columns({
    Cabin: ["Larch", "Birch"],
    "Per night (£)": ["40", "55"],
    "Each further guest (£)": ["9", "6"],
    "Floor area (m²)": ["12", "9"],
    Capacity: ["2", "5"],
  }),
);

it("a column of money that is called by a period alone is one of prices", () => {
  expect(planOf("Which is the cheapest cabin?", [cabins])).toBe("cabins.csv | smallest | Per night (£)");
});

it("the currency of a column stands before its period or tax too", () => {
  const fees = columns({ "Fee (€ per month)": ["40"], "Tarif (€ HT)": ["40"], "Weight (kg net)": ["3"] });
  expect(fees.map(({ unit }) => unit)).toEqual(["EUR", "EUR", ""]);
});

it("of two columns that an extreme may mean both are computed", () => {
  const plan = planSheet(readSheetQuestion("Which is the biggest cabin?") ?? expect.fail(), [cabins]);
  expect(plan).toMatchObject({ column: 3, also: [4] });
  expect(plan?.unclear).toBeUndefined();
  const figures = { rows: 2, blanks: 0, sum: null, average: null, smallest: 9, largest: 12 };
  const rows = [{ cells: ["Larch", "40", "9", "12", "2"], start: 0, end: 9 }];
  const said = tableSaid(plan ?? expect.fail(), [figures, { ...figures, largest: 5 }], rows, {
    language: "en",
    isFirst: true,
    shown: 1,
  });
  expect(said).toContain("the largest “Floor area (m²)” is 12.");
  expect(said).toContain("the largest “Capacity” is 5.");
});

it("an extreme with one unexplained word is a guess, where guesses are allowed", () => {
  const plansOf = (question: string) => {
    const asked = readSheetQuestion(question) ?? expect.fail();
    return [planSheet(asked, [fans, tables]), planSheet(asked, [tables, fans], true)];
  };
  expect(plansOf("What is the quietest gadget?")).toMatchObject([undefined, { isGuess: true, column: 1 }]);
  expect(plansOf("What is the quietest gadget for gardeners?")).toEqual([undefined, undefined]);
  expect(plansOf("How many gadgets are there?")).toEqual([undefined, undefined]);
  expect(plansOf("What is the quietest fan?")).toMatchObject([{ column: 1 }, { column: 1 }]);
  expect(plansOf("What is the quietest fan?")[1]?.isGuess).toBeUndefined();
});

it("a wide table shows the columns that the question names", () => {
  const wide = sheet(
    "trips.csv",
    columns({
      Trip: ["A", "B"],
      From: ["x", "y"],
      To: ["y", "x"],
      At: ["7", "8"],
      On: ["m", "t"],
      Ship: ["Nora", "Lumi"],
      Cars: ["9", "4"],
    }),
  );
  const plan = planSheet(readSheetQuestion("Which ship has the most cars?") ?? expect.fail(), [wide]);
  const rows = [{ cells: ["A", "x", "y", "7", "m", "Nora", "9"], start: 0, end: 9 }];
  const figures = { rows: 2, blanks: 0, sum: null, average: null, smallest: 4, largest: 9 };
  const shown = { language: "en" as const, isFirst: true, shown: 1 };
  expect(tableSaid(plan ?? expect.fail(), figures, rows, shown)).toContain("Nora");
});

it("rows below a group's name are told with their own names", () => {
  const years = {
    "FY 2021": ["4", "5"],
    "FY 2022": ["4", "5"],
    "FY 2023": ["4", "5"],
    "FY 2024": ["4", "5"],
    "FY 2025": ["4", "5"],
  };
  const all = columns({ Group: ["Lyon", "Mons"], Row: ["Claims filed", "Claims approved"], ...years });
  const claims = sheet(
    "claims.docx",
    all.map((column, at) => (at < 2 ? { ...column, name: "" } : column)),
  );
  const plan: SheetPlan = {
    sheet: claims,
    op: "count",
    column: null,
    conditions: [{ column: 0, op: "is", texts: ["Lyon"] }],
    named: [2, 3, 4, 5, 6],
  };
  const rows = [{ cells: ["Lyon", "Claims filed", "1", "2", "3", "4", "5"], start: 0, end: 9 }];
  const figures = { rows: 1, blanks: 0, sum: null, average: null, smallest: null, largest: null };
  expect(tableSaid(plan, figures, rows, { language: "en", isFirst: true, shown: 1 })).toBe(
    "Computed from table “claims.docx”: 1 row where a cell is “Lyon”.\n\n" +
      "|  |  | FY 2021 | FY 2022 | FY 2023 | FY 2024 |\n| --- | --- | --- | --- | --- | --- |\n| Lyon | Claims filed | 1 | 2 | 3 | 4 |",
  );
});

it("a column for each year is not asked about when the question says the year", () => {
  const customers = sheet(
    "report.html",
    columns({ Item: ["Tables", "Cards"], "2021 Revenue": ["16", "24"], "2020 Revenue": ["6", "12"] }),
  );
  const plan = (question: string) => planSheet(readSheetQuestion(question) ?? expect.fail(), [customers]);
  const unclear = { columns: ["2021 Revenue", "2020 Revenue"] };
  expect(plan("What was the total revenue?")).toMatchObject({ unclear });
  expect(plan("What was the total revenue in 2020?")).toBeUndefined();
});
