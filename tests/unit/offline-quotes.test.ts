// What the built-in model quotes of a passage: the answer below a question, a list with the line before it, an item without its mark.
import { describe, expect, it } from "vitest";
import { askBuiltIn as ask } from "../support/built-in-model.ts";

describe("a reply", () => {
  it("quotes the answer below a question in bold, never the question", () => {
    const faq = "**Can I get a place in the nursery?**\n\nYou can apply, but staff come first.";
    expect(ask("Can I get a nursery place?", faq)).toBe("You can apply, but staff come first. [1]");
  });

  it("quotes a list with the line that introduces it", () => {
    const steps =
      "To report a theft, follow these steps:\n\n1. Call the desk.\n   Day or night.\n2. Write down what is gone.\n\nThe desk is in Hall A.";
    expect(ask("How do I report a theft?", steps)).toBe(
      "To report a theft, follow these steps:\n1. Call the desk.\n   Day or night.\n2. Write down what is gone. [1]",
    );
    const long = `To report a theft, follow these steps:\n${"- Ask someone.\n".repeat(40)}`;
    expect(ask("How do I report a theft?", long)).toMatch(/(?:- Ask someone\.\n){15}… \[1\]$/);
  });

  it("quotes a list's item without its mark, box and line break", () => {
    const list = "- [ ] Hand the badge to reception\\\n- [x] Return the laptop to Ann";
    const said = ask("Where do I hand the badge?", list);
    expect(said).toMatch(/(?<!\])Hand the badge to reception \[1\]/);
    expect(said).not.toContain("[ ]");
  });

  it("begins with the first sentence below a heading that is the question", () => {
    const opening = "The car park behind the hall is free after 19:00.";
    const bus = "Bus 4 stops at Pasteur; the last one leaves at 22:20.";
    const parking = `## Where to park\n\n${opening} Bicycles go in the courtyard. ${bus}`;
    expect(ask("where can i park", parking)).toBe(`${opening} [1]\n\n${bus} [1]`);
    const fees = "## Cancelling\n\nWrite to us. Whoever cancels late pays 40 euros.";
    expect(ask("How much does cancelling cost?", fees)).toBe("Whoever cancels late pays 40 euros. [1]");
  });

  it("shows the six closest sentences when it is unsure", () => {
    const rules = ["rabbits", "goats", "horses", "parrots", "snakes", "spiders", "bees"].map(
      (animal, at) => `The ${animal} of the farm sleep in house ${at}.`,
    );
    const reply = ask("Do the houses of the farm have straw?", ...rules);
    expect(reply.match(/house/g)).toHaveLength(6);
  });
});
