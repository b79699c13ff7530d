// What the built-in model quotes of a passage: the answer below a question, a list with the line before it, an item without its mark.
import { describe, expect, it } from "vitest";
import { readQuestion } from "../../supabase/local/models/question.ts";
import { unitsOf } from "../../supabase/local/models/reading.ts";
import { writeReply } from "../../supabase/local/models/writing.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import fc from "../support/property-cases.ts";
import { say, sayIn } from "../support/words.ts";

describe("a reply", () => {
  it("quotes the answer below a question in bold, never the question", () => {
    const faq = "**Can I get a place in the nursery?**\n\nYou can apply, but staff come first.";
    expect(ask("Can I get a nursery place?", faq)).toBe("You can apply, but staff come first. [1]");
  });

  it("quotes the answer of a question in lines of Q and A, and no table", () => {
    const faq =
      "Q: How long is the warranty?\nA: Two years\nQ: Is it waterproof?\nA: No, but it is splash-proof.\n\nThe office is in Bristol.";
    expect(ask("How long is the warranty?", faq)).toBe("Two years [1]");
    expect(ask("Is it waterproof?", faq)).toBe("No, but it is splash-proof. [1]");
    const address = "Name: Ann Lee\nTelephone: 4455";
    expect(ask("What is the telephone number of Ann Lee?", address)).toContain("| Ann Lee | 4455 [1] |");
  });

  it("takes an hour in words, or the sun's, for a time", () => {
    const garden = "The garden opens at 8 in the morning and closes at dusk.";
    for (const question of ["When does the garden open?", "At what time does it close?"])
      expect(ask(question, garden)).toBe(`${garden} [1]`);
    const jardin = "Le jardin ferme au coucher du soleil.";
    expect(ask("Quand ferme le jardin ?", jardin)).toBe(`${jardin} [1]`);
  });

  it("takes a length of time for a period", () => {
    const warranty = "The warranty ends two years after the purchase.";
    for (const question of ["What is the warranty period?", "What's your guarantee period?"])
      expect(ask(question, "The kiosk sells stamps.", warranty), question).toBe(`${warranty} [2]`);
    const place = "The warranty is in the box.";
    expect(ask("What is the warranty period?", "The kiosk sells stamps.", place)).not.toBe(`${place} [2]`);
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

  it("has a sentence beside it that has the requested kind too, if it lacks a word of the question", () => {
    const age = "Guests under 18 sail with a skipper. They must be at least 16.";
    const text = `${age} The bar is open.\n\nThe jetty is closed.`;
    expect(ask("How old must new guests be to sail with a skipper?", text)).toBe(`${age} [1]`);
    expect(ask("How old are guests who sail with a skipper?", text)).toBe(
      "Guests under 18 sail with a skipper. [1]",
    );
  });

  it("shows five of the closest passages and three sentences when it is unsure, and no more", () => {
    const rules = [
      "rabbits",
      "goats",
      "horses",
      "parrots",
      "snakes",
      "spiders",
      "bees",
      "ducks",
      "cows",
      "pigs",
    ].map((animal, at) => `The ${animal} of the farm sleep in house ${at}.`);
    const reply = ask("Which houses of the farm have straw?", ...rules);
    expect(reply.match(/house/g)).toHaveLength(8);
  });

  it("shows the rows of a table below one header, whatever is closer than some of them", () => {
    const text =
      "| Service | Price |\n| --- | --- |\n| Saturday | £84 |\n| Night | £118 |\n\nCalls are free.";
    const [saturday, night, calls] = unitsOf({ number: 1, label: "", text }, 0);
    if (!saturday || !night || !calls) throw new Error("The passage has three units.");
    expect(writeReply([saturday, calls, night], readQuestion("What about prices?"))).toBe(
      "| Service | Price |\n| --- | --- |\n| Saturday | £84 [1] |\n| Night | £118 [1] |\n\nCalls are free. [1]",
    );
  });
});

/** True for a stretch of the text, or for its title or its line with a colon, and a stretch behind it that this introduces. */
function isQuoteOf(text: string, quote: string): boolean {
  const [whole, said] = [text, quote].map((one) => one.replace(/\s+/g, " "));
  if (!whole || !said) return false;
  return (
    whole.includes(said) ||
    [...said.matchAll(/[.:] /g)].some(({ index }) => {
      const [title, rest] = [said.slice(0, index + 1), said.slice(index + 2)];
      const at = whole.indexOf(title);
      return at >= 0 && whole.includes(rest, at + title.length);
    })
  );
}

it("says only what is in a passage", () => {
  const words = fc.constantFrom(
    "goods",
    "days",
    "sent",
    "back",
    "shop",
    ".",
    "?",
    "\n",
    "\n\n",
    "- ",
    "é",
    "30",
    "1.5",
    "e.g.",
  );
  const text = fc
    .array(words, { minLength: 1, maxLength: 60 })
    .map((list) => list.join(" ").trim() || "goods");
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), text, (contents, question) => {
      const reply = ask(question, ...contents);
      if (/^(Nothing|Rien) /.test(reply)) return;
      const said = reply
        .replace(/^(?:I am not sure|The documents|Je n'en suis pas sûr|Les documents)[^:]*:\n\n/, "")
        .replace(new RegExp(`\n\n(?:${say("answers:related")}|${sayIn("fr")("answers:related")})\n`), "");
      for (const quote of said.split(/(?<=\[\d\])\n(?:\n|- )/)) {
        const [, said = "", number] = /^([\s\S]*) \[(\d)\]$/.exec(quote) ?? [];
        const content = contents[Number(number) - 1] ?? "";
        expect(isQuoteOf(content, said), `“${said}” of “${content}”`).toBe(true);
      }
    }),
    // A question stands between the title "1.5 goods ." and the sentence that it introduces.
    { examples: [[["1.5 goods . ? goods"], "é goods"]] },
  );
});
