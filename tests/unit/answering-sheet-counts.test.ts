// Questions that ask how many there are of something over a table inside a text, in which it may only be the name of a row.
import { describe, expect, it } from "vitest";
import { planSheet } from "../../edge-functions/answering/sheet-plan.ts";
import { readSheetQuestion } from "../../edge-functions/answering/sheet-words.ts";
import { columns, planOf, sheet } from "../support/sheet-plans.ts";

const fields = {
  ...sheet(
    "people-tool.md",
    columns({ Field: ["Employee #", "Hire date", "Location"], Options: ["Free text", "Date", "List"] }),
  ),
  rowsCount: 3,
};
const boats = {
  ...sheet(
    "fleet.md",
    columns({ Boat: ["Petrel", "Gannet", "Albatross"], Type: ["Kettle boat", "Yacht", "Yacht"] }),
  ),
  rowsCount: 3,
};

describe("a count over a table inside a text", () => {
  it("counts the rows of a kind", () => {
    expect(planOf("How many yachts are there?", [boats])).toBe("fleet.md | count | rows | Type = Yacht");
  });

  it("is left to search where the counted thing is the name of one row", () => {
    expect(planOf("How many employees are there?", [fields])).toBeUndefined();
    expect(planOf("How many petrels are there?", [boats])).toBeUndefined();
  });
});

describe("a count of a value", () => {
  const list = sheet(
    "prices.csv",
    columns({
      Name: ["Tomme", "Bleu", "Feta"],
      Milk: ["cow", "goat", "agneau"],
      Type: ["hard", "soft", "soft"],
    }),
  );
  const guesses = (question: string) => {
    const asked = readSheetQuestion(question);
    return asked && planSheet(asked, [list])?.isGuess === true;
  };

  it("is a guess where the column does not tell what a row is", () => {
    expect(guesses("How many cows do you have?")).toBe(true);
    expect(guesses("How many goats are there?")).toBe(true);
    for (const asked of [
      "Combien y a-t-il d'agneaux ?",
      "combien y a t il d'agneaux",
      "Combien d'agneaux avez-vous ?",
    ])
      expect(guesses(asked), asked).toBe(true);
  });
  it("is none of a kind of rows, or where the question names the column or the table", () => {
    expect(planOf("How many soft ones do you have?", [list])).toBe("prices.csv | count | rows | Type = soft");
    for (const question of ["How many soft ones do you have?", "How many prices are for cow milk?"])
      expect(guesses(question)).toBe(false);
  });
});

const clubs = sheet(
  "clubs.csv",
  columns({
    Club: ["Chess", "Football", "Choir"],
    Day: ["Monday", "Tuesday", "Friday"],
    "Term (£)": ["0", "30", "0"],
  }),
);

it.each([
  ["Which clubs are free?", "clubs.csv | list | rows | Term (£) ≥0 ≤0"],
  ["Quels clubs sont gratuits ?", "clubs.csv | list | rows | Term (£) ≥0 ≤0"],
  ["Which club is free on Friday?", "clubs.csv | list | rows | Day = Friday | Term (£) ≥0 ≤0"],
  ["Is the chess club free?", undefined],
  ["Which clubs have a free bus?", undefined],
])("%s: what is free has a price of zero", (question, plan) => {
  expect(planOf(question, [clubs])).toBe(plan);
});

it.each(["Tous les combien y a-t-il club ?", "How many times a week is there football?"])(
  "%s is answered by no number of rows",
  (question) => {
    expect(planOf(question, [clubs])).toBeUndefined();
  },
);

it("the name of a row in a table of names and values is not counted, in a sheet either", () => {
  const report = {
    ...sheet(
      "report.csv",
      columns({
        Item: ["Members", "Visits", "Prizes", "Members"],
        "Year 2024": ["812", "34100", "2", "7"],
        "Year 2025": ["845", "35900", "3", "9"],
      }),
    ),
    rowsCount: 60,
  };
  expect(planOf("How many members are there?", [report])).toBeUndefined();
  expect(planOf("Combien de prix y a-t-il ?", [report])).toBeUndefined();
  expect(planOf("How many visits in 2021?", [report])).toBeUndefined();
});

it("a column of numbers does not say that a row is one of the counted things", () => {
  const fees = sheet(
    "fees.csv",
    columns({ Category: ["Adult", "Child"], "Courses (€)": ["210", "150"], Places: ["120", "90"] }),
  );
  expect(planOf("How many courses are there?", [fees])).toBeUndefined();
  expect(planOf("How many places are there?", [fees])).toBe("fees.csv | sum | Places");
  expect(planOf("How many categories are there?", [fees])).toBe("fees.csv | count | rows");
});

it("what was delivered at a time was not sold then", () => {
  const runs = sheet(
    "print-runs.csv",
    columns({
      Title: ["Salt", "Ash"],
      "Delivered on": ["04/03/2024", "16/09/2024"],
      Copies: ["3000", "5000"],
    }),
  );
  expect(planOf("How many copies did we sell in 2024?", [runs])).toBeUndefined();
  expect(planOf("How many copies were delivered in 2024?", [runs])).toContain(
    "print-runs.csv | sum | Copies",
  );
});

it("the fewest of a year are in the column of that year", () => {
  const fields = sheet(
    "report.md",
    columns({ Field: ["Pressure", "Torque"], "Year 2024": ["1702", "431"], "Year 2025": ["1840", "503"] }),
    "Activity by field",
  );
  expect(planOf("which field had the least activity in 2025", [fields])).toBe(
    "report.md | smallest | Year 2025",
  );
  expect(planOf("Which field had the most activity in 2024?", [fields])).toBe(
    "report.md | largest | Year 2024",
  );
  expect(planOf("which field had the least activity in 2021", [fields])).toBeUndefined();
});
