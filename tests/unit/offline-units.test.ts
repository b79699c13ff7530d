// How the built-in model reads a number with its unit: in a range, under a bound, and in another unit of the same dimension.
import { describe, expect, it } from "vitest";
import { sentences } from "../../edge-functions/answering/sentences.ts";
import { ratioOf } from "../../edge-functions/answering/units.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";

const oven =
  "Rye dough is baked at 235 to 250 °C.\n\nDough rests overnight.\n\nThe oven must not exceed 280 °C.\n\nSteam helps.";

describe("a number with its unit", () => {
  it("is in a stated range, in degrees too", () => {
    expect(ask("Is 240 degrees ok for rye dough?", oven)).toMatch(/^Rye dough is baked at 235 to 250 °C\./);
    expect(ask("Is 200 degrees ok for rye dough?", oven)).not.toMatch(/^Rye dough/);
    expect(ask("Est-ce que 18 degrés suffisent ?", "Le chauffage reste entre 16 et 21 °C.")).toContain("21");
  });
  it("is far from a bound of temperature that is more than twice as high", () => {
    const robes = "Robes dry at no more than 80 °C.";
    expect(ask("Do robes dry at 70 degrees?", robes)).toBe(`${robes} [1]`);
    expect(ask("Do robes dry at 35 degrees?", robes)).not.toBe(`${robes} [1]`);
  });
  it("is in a range of another unit of its dimension", () => {
    const parcels = "Parcels of 500 to 1500 g cost 4 euros.\n\nParcels of 3 to 5 kg cost 9 euros.";
    expect(ask("What does a parcel of 1 kilo cost?", parcels)).toMatch(/^Parcels of 500 to 1500 g/);
    expect(ask("What does a parcel of 4000 g cost?", parcels)).toMatch(/^Parcels of 3 to 5 kg/);
  });
  it("of things is in a range of these things", () => {
    const rooms = "The Ash room seats 4 to 6 people.\n\nThe Elm room seats 10 to 15 people.";
    expect(ask("Which room seats 12 people?", rooms)).toMatch(/^The Elm room/);
    expect(ask("Which room seats 5 people?", rooms)).toMatch(/^The Ash room/);
  });
});

describe("a question how many of a unit", () => {
  const loaves =
    "| Loaf | Weight g | Pieces |\n| --- | --- | --- |\n| Olive | 640 | 4 |\n| Walnut | 500 | 6 |";

  it("is answered by a number of another unit of its dimension, as written", () => {
    const said = ask("How many kilos does the olive loaf weigh?", loaves);
    expect(said).toMatch(/^\| Loaf/);
    expect(said).toContain("| 640 |");
    expect(ask("How many litres does it hold?", "It weighs 12 kg.")).not.toMatch(/^It weighs/);
  });
});

describe("rows", () => {
  const cakes =
    "| Cake | Allergens | Baked on |\n| --- | --- | --- |\n| Torte | egg, nuts | Tue, Fri |\n| Sponge | wheat, egg | Sat |";
  it("with a thing do not tell which are without it", () => {
    expect(ask("Which cakes have wheat?", cakes)).toMatch(/^\| Cake/);
    expect(ask("Which cakes have no wheat?", cakes)).not.toMatch(/^\| Cake/);
  });
  it("keep their list of days when a day is asked for", () => {
    const names = ["Code", "Cake", "Weight", "Allergens", "Price", "Pack", "Made"];
    const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
    const wide = [names, names.map(() => "---"), ["K1", "Torte", "900", "egg", "12", "1", "Tue, Fri"]];
    expect(ask("On which days can I get the torte?", wide.map(line).join("\n"))).toContain("Tue, Fri");
  });
  it("keep the column whose unit is asked for", () => {
    const names = ["Cake", "Weight", "Price", "Pack", "Layers", "Made", "Serve at (°C)"];
    const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
    const wide = [names, names.map(() => "---"), ["Torte", "900", "12", "1", "3", "daily", "17"]];
    expect(ask("At what temperature is the torte served?", wide.map(line).join("\n"))).toContain("17");
    expect(ask("What temperature for the torte?", wide.map(line).join("\n"))).toContain("17");
  });
});

describe("an abbreviation", () => {
  it("ends no sentence", () => {
    const text = "Fell Linen Co. Ltd. hires it. Call tel. 555 123. A no. 7 fits.";
    expect(sentences(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "Fell Linen Co. Ltd. hires it.",
      "Call tel. 555 123.",
      "A no. 7 fits.",
    ]);
  });
});

describe("one unit in another", () => {
  it("is known by symbol and by word, within a dimension", () => {
    expect(ratioOf("kilos", "g")).toBe(1000);
    expect(ratioOf("heures", "min")).toBe(60);
    expect(ratioOf("degrés", "°C")).toBe(1);
    expect(ratioOf("kg", "m")).toBeUndefined();
  });
});

describe("a unit or a size that looks like a code", () => {
  it("is no name that the documents lack", () => {
    const table =
      "| Charge | Fee |\n| --- | --- |\n| Water per cubic metre | £2.14 |\n| Standing charge | £38.20 |";
    expect(ask("price of water per m3", table)).toContain("| Water per cubic metre | £2.14 [1] |");
    const liner = "Le changement de liner coûte 4650 euros pour un bassin de 8 x 4 m.";
    expect(ask("prix changement liner 8x4", liner)).toContain("4650 euros");
  });
});
