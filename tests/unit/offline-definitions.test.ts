// How the built-in model answers what a thing is, how long it lasts, and what it makes of links. All texts are invented.
import { describe, expect, it } from "vitest";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say } from "../support/words.ts";

const unsure = say("answers:closest");

describe("a question what a thing is", () => {
  const english =
    "The Lumo account must be protected, and a stolen Lumo account is reported at once. Ask about Lumo in the hall. Lumo is a shared calendar for all crews of the harbour.";
  const french =
    "Le canal Lumo est ouvert aux équipes du port. Inscription à Lumo dans le hall. Lumo est un agenda partagé entre toutes les équipes, avec les marées et les congés.";

  it.each(["What is Lumo?", "What does Lumo mean?", "What's a Lumo?"])(
    "%s gets its definition",
    (question) => {
      expect(ask(question, english)).toMatch(/^Lumo is a shared calendar/);
    },
  );
  it.each(["Lumo c'est quoi ?", "C'est quoi Lumo ?", "Qu'est-ce que Lumo ?"])(
    "%s gets its definition",
    (question) => {
      expect(ask(question, french)).toMatch(/^Lumo est un agenda partagé/);
    },
  );
  it("is unsure when the texts only mention it", () => {
    const mention = "Never lend your Lumo password, since Lumo opens every shed.";
    expect(ask("What is Lumo?", mention)).toMatch(unsure);
    expect(ask("Who is the Lumo password for?", mention)).toContain("[1]");
  });
  it("gets the text below a heading that asks it", () => {
    const below = "## What is Lumo?\n\nCrews keep their shifts and tides together there.";
    expect(ask("What is Lumo?", below)).toMatch(/^Crews keep their shifts/);
  });
});

describe("a link", () => {
  it("is no definition, and its address has no words of the question", () => {
    const page =
      "- [Lumo portal](https://port.example/what-is-lumo)\n- [Shifts](https://port.example/lumo/shifts)\n\nThe crews plan with Lumo, a calendar that they share.";
    expect(ask("What do crews plan with Lumo?", page)).toMatch(/^The crews plan with Lumo/);
    const elsewhere = "[Tide tables](https://port.example/crane-permit) are printed each spring.";
    expect(ask("Which crane permit?", elsewhere)).not.toContain("[1]");
  });
});

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
