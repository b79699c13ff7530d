// Questions for the order of dates over a sheet: what is the oldest, ends first, comes next or was last, and which column of dates tells.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { dayOf } from "../../edge-functions/_shared/text/cell-values.ts";
import { planSheet } from "../../edge-functions/answering/sheet-plan.ts";
import { tableSaid } from "../../edge-functions/answering/sheet-results.ts";
import { readingsOfSheets, readSheetQuestion } from "../../edge-functions/answering/sheet-words.ts";
import { columns, planOf, sheet } from "../support/sheet-plans.ts";

beforeAll(() => vi.useFakeTimers({ now: Date.UTC(2026, 10, 30), toFake: ["Date"] }));
afterAll(() => vi.useRealTimers());

const machines = sheet(
  "machines.csv",
  columns({
    Machine: ["Lathe", "Press", "Saw"],
    Hall: ["North", "North", "South"],
    "In service since": ["14/03/2019", "22/09/2011", "01/07/2021"],
    "Next inspection": ["02/02/2027", "11/12/2026", "15/01/2027"],
  }),
);
const contracts = sheet(
  "contrats.csv",
  columns({
    Contrat: ["Nettoyage", "Gaz", "Copieur"],
    Fournisseur: ["Netix", "Enga", "Burotec"],
    "Signé le": ["14/02/2018", "02/09/2019", "21/06/2015"],
    "Valable jusqu'au": ["13/02/2028", "01/09/2027", "20/06/2026"],
    "Loyer (€)": ["400", "90", "120"],
  }),
);
const deliveries = sheet(
  "deliveries.csv",
  columns({
    Delivery: ["D1", "D2", "D3", "D4"],
    Supplier: ["Ravoux", "Ravoux", "Testud", "Testud"],
    Date: ["14/10/2026", "20/11/2026", "02/10/2026", "18/12/2026"],
  }),
);
const members = sheet(
  "crew.csv",
  columns({
    Name: ["Morag", "Iain", "Priya"],
    Joined: ["13/04/2003", "19/10/2009", "11/01/2015"],
    "Licence expires": ["12/08/2027", "30/11/2027", "04/03/2027"],
  }),
);
const courses = sheet(
  "joining.html",
  columns({ Course: ["Driving", "Diving"], Starts: ["11 January 2027", "7 December 2026"] }),
  "Joining us",
);

describe("an order of dates", () => {
  it.each([
    ["Which is the oldest machine?", "machines.csv | smallest | In service since"],
    ["newest machine in the north hall?", "machines.csv | largest | In service since | Hall = North"],
    ["Which machine's inspection is due first?", "machines.csv | smallest | Next inspection"],
    ["which machine must be inspected first", "machines.csv | smallest | Next inspection"],
    ["Quel est le plus ancien contrat ?", "contrats.csv | smallest | Signé le"],
    [
      "quel contrat avec Netix expire en premier",
      "contrats.csv | smallest | Valable jusqu'au | Fournisseur = Netix",
    ],
    ["Which contract ends last?", "contrats.csv | largest | Valable jusqu'au"],
    ["le dernier contrat signé", "contrats.csv | largest | Signé le"],
    ["who joined most recently", "crew.csv | largest | Joined"],
    ["who joined first?", "crew.csv | smallest | Joined"],
    ["What are the two oldest machines?", "machines.csv | lowest | In service since | most 2"],
    [
      "first delivery in October 2026",
      `deliveries.csv | smallest | Date | Date ≥${dayOf(2026, 10, 1)} <${dayOf(2026, 11, 1)}`,
    ],
  ])("%s", (question, plan) => {
    expect(planOf(question, [machines, contracts, deliveries, members, courses])).toBe(plan);
  });

  it("is none where the words mean something else", () => {
    for (const question of [
      "How long does the contract last?",
      "Where is the first aid machine?",
      "Who are the first aiders?",
      "Is the first inspection free?",
      "c'est ma première fois, quelle machine je prends",
      "Which contract did we sign last year?",
      "quel contrat l'an dernier",
      "what is on the first floor",
    ])
      expect(
        readingsOfSheets(question).some(({ dates }) => dates),
        question,
      ).toBe(false);
  });

  it("takes no number for a date, and no column of an end for an age", () => {
    const fees = sheet("fees.csv", columns({ Machine: ["Lathe"], "Delay (days)": ["5"] }));
    expect(planOf("Which is the oldest machine?", [fees])).toBeUndefined();
    const due = sheet(
      "due.csv",
      columns({ Machine: ["Lathe", "Saw"], "Due date": ["14/03/2027", "15/03/2027"] }),
    );
    expect(planOf("Which is the oldest machine?", [due])).toBeUndefined();
    expect(planOf("Which machine is due first?", [due])).toBe("due.csv | smallest | Due date");
  });

  it("takes a column of years for the oldest, and no date of what is still to do", () => {
    const table = { Machine: ["Presse", "Semoir"], "Contrôle à faire avant": ["20/05/2027", "01/09/2027"] };
    const checks = sheet("machines.csv", columns(table));
    const aged = sheet("machines.csv", columns({ ...table, Année: ["2019", "2023"] }));
    expect(planOf("quelle est la machine la plus vieille", [checks])).toBeUndefined();
    expect(planOf("quelle est la machine la plus vieille", [aged])).toBe("machines.csv | smallest | Année");
  });

  it("knows that the oldest of a crew is not the one who joined first", () => {
    expect(planOf("Who is the oldest member?", [members])).toBeUndefined();
    const born = sheet("crew.csv", [
      ...members.columns,
      ...columns({ "Date of birth": ["13/04/1970", "19/10/1969", "11/01/1980"] }),
    ]);
    expect(planOf("Who is the oldest of the crew's members?", [{ ...born, caption: "Members" }])).toBe(
      "crew.csv | smallest | Date of birth",
    );
  });
});

describe("what lies on either side of today", () => {
  const today = dayOf(2026, 11, 30);

  it("is not last when it is still to come, and not next when it is past", () => {
    expect(planOf("latest delivery from Testud", [deliveries])).toBe(
      `deliveries.csv | largest | Date | Supplier = Testud | Date ≥ ≤${today}`,
    );
    expect(planOf("our next delivery", [deliveries])).toBe(
      `deliveries.csv | smallest | Date | Date ≥${today} ≤`,
    );
  });

  it("does not matter for what is due: the past is overdue", () => {
    const fleet = sheet(
      "fleet.csv",
      columns({ Car: ["Octavia", "Enyaq"], "MOT due": ["09/11/2026", "13/12/2026"] }),
    );
    expect(planOf("next MOT due", [fleet])).toBe("fleet.csv | smallest | MOT due");
    expect(planOf("when is the next MOT of the Octavia", [fleet])).toBe(
      "fleet.csv | smallest | MOT due | Car = Octavia",
    );
  });

  it("does not matter for an end that is asked for, or when all dates are on one side", () => {
    expect(planOf("Which contract ends last?", [contracts])).toBe(
      "contrats.csv | largest | Valable jusqu'au",
    );
    expect(planOf("who joined last", [members])).toBe("crew.csv | largest | Joined");
    expect(planOf("next course to start", [courses])).toBe("joining.html | smallest | Starts");
  });
});

it("the rows that the question before was about limit an order", () => {
  const [, plain] = readingsOfSheets("when is the next inspection of it", "Is the lathe in hall North?");
  const [ordered] = readingsOfSheets("when is the next inspection of it", "Is the lathe in hall North?");
  expect(plain?.dates).toBeUndefined();
  expect(planSheet(ordered ?? expect.fail(), [machines])?.conditions).toMatchObject([
    { texts: ["North"] },
    { texts: ["Lathe"] },
  ]);
});

it("two columns of dates that may be meant are both told, and surely neither", () => {
  const orders = sheet(
    "orders.csv",
    columns({
      Order: ["A1", "A2"],
      "Packed on": ["14/10/2026", "20/11/2026"],
      "Paid on": ["15/11/2026", "13/11/2026"],
    }),
  );
  const plan = planSheet(readSheetQuestion("Which is the latest order?") ?? expect.fail(), [orders]);
  expect([plan?.column, plan?.also, plan?.isGuess]).toEqual([1, [2], true]);
});

it("a time that the table does not reach is no sure answer, and the reply says what it reaches", () => {
  const asked = readSheetQuestion("How many deliveries in 2021?") ?? expect.fail();
  const plan = planSheet(asked, [deliveries]) ?? expect.fail();
  expect(plan.isGuess).toBe(true);
  const none = { rows: 0, blanks: 0, sum: null, average: null, smallest: null, largest: null };
  const said = tableSaid(plan, none, [], { language: "en", isFirst: true, shown: 0 });
  expect(said).toContain("0 rows");
  expect(said).toContain("“Date” reaches from 2026-10-02 to 2026-12-18 only.");
  expect(
    planSheet(readSheetQuestion("How many deliveries in 2026?") ?? expect.fail(), [deliveries])?.isGuess,
  ).toBeFalsy();
});

it("dates are told as dates: the earliest, and rows without one", () => {
  const plan = planSheet(readSheetQuestion("Which is the oldest machine?") ?? expect.fail(), [machines]);
  const figures = {
    rows: 4,
    blanks: 1,
    sum: null,
    average: null,
    smallest: dayOf(2011, 9, 22) ?? 0,
    largest: null,
  };
  const write = (language: "en" | "fr") =>
    tableSaid(plan ?? expect.fail(), figures, [], { language, isFirst: true, shown: 0 });
  expect(write("en")).toContain(
    "the earliest “In service since” is 2011-09-22. Left out, without a date: 1 row.",
  );
  expect(write("fr")).toContain("la date la plus ancienne de « In service since » est 2011-09-22.");
});
