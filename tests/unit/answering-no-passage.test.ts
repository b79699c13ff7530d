// What is said when nothing was found, and what counts as nothing having been asked.
import { describe, expect, it } from "vitest";
import { isSmallTalk, nothingFoundFor, replyToSmallTalk } from "../../edge-functions/answering/no-passage.ts";

describe("nothing found", () => {
  it("is said in the question's language", () => {
    expect(nothingFoundFor("What does it cost?")).toBe("I found nothing about this in my knowledge.");
    expect(nothingFoundFor("Combien est-ce que ça coûte ?")).toBe(
      "Je n'ai rien trouvé à ce sujet dans mes connaissances.",
    );
    expect(nothingFoundFor("12345")).toBe("I found nothing about this in my knowledge.");
  });
});

describe("small talk", () => {
  it.each(["Hello!", "hi there", "Thanks, that's great", "Merci à vous !", "Bonjour à tous", "OK"])(
    "%s",
    (message) => expect(isSmallTalk(message)).toBe(true),
  );
  it.each([
    "Hello, what does shipping cost?",
    "Who are you?",
    "",
    "?!",
    "Merci de m'envoyer la facture",
    "good returns policy",
  ])("not: %s", (message) => expect(isSmallTalk(message)).toBe(false));
});

describe("the reply to small talk", () => {
  const quiet = { greeting: "", suggestedPrompts: [] };
  it.each([
    ["Hello!", quiet, "Hello! What would you like to know?"],
    ["Bonjour", quiet, "Bonjour ! Que souhaitez-vous savoir ?"],
    ["Thanks a lot", quiet, "You are welcome."],
    ["Merci", quiet, "Avec plaisir."],
    ["Hi", { greeting: "Ask me about bikes.", suggestedPrompts: [] }, "Ask me about bikes."],
    [
      "Hi",
      { greeting: "", suggestedPrompts: ["When are we paid?", "Who fixes laptops?"] },
      "Hello! What would you like to know?\n\nYou could ask:\n\n- When are we paid?\n- Who fixes laptops?",
    ],
  ])("%s", (message, agent, reply) => expect(replyToSmallTalk(message, agent)).toBe(reply));
});
