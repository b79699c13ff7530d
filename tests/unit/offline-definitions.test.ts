// How the built-in model answers how long a thing lasts. All texts are invented.
import { describe, expect, it } from "vitest";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say } from "../support/words.ts";

const unsure = say("answers:closest");

describe("a question how long", () => {
  it("is not answered by an English article that is a French year", () => {
    const trial =
      "Use the trial period to give an early opinion. When a diver joins, the trial runs for three months.";
    expect(ask("How long is the trial period?", trial)).toMatch(/three months/);
    expect(ask("How long is the trial period?", "Use the trial period to give an early opinion.")).toMatch(
      unsure,
    );
  });
  it("is answered by a year in French", () => {
    expect(ask("Combien de temps dure la garantie ?", "La garantie dure 1 an.")).toBe(
      "La garantie dure 1 an. [1]",
    );
  });
});
