// The reply when nothing was found, and which questions are small talk.
import { describe, expect, it } from "vitest";
import { isSmallTalk, nothingFoundFor, replyToSmallTalk } from "../../edge-functions/answering/no-passage.ts";
import { say, sayIn } from "../support/words.ts";

describe("nothing found", () => {
  it("is reported in the question's language", () => {
    expect(nothingFoundFor("What does it cost?")).toBe(say("answers:nothingFound"));
    expect(nothingFoundFor("Combien est-ce que ça coûte ?")).toBe(sayIn("fr")("answers:nothingFound"));
    expect(nothingFoundFor("12345")).toBe(say("answers:nothingFound"));
  });
});

describe("small talk", () => {
  it.each([
    "Hello!",
    "hi there",
    "Thanks, that's great",
    "Merci à vous !",
    "Merci beaucoup !",
    "Bonjour à tous",
    "OK",
  ])("%s", (message) => expect(isSmallTalk(message)).toBe(true));
  it.each([
    "Hello, what does shipping cost?",
    "Who are you?",
    "",
    "?!",
    "Merci de m'envoyer la facture",
    "good returns policy",
    "c'est combien pour une journée ?",
  ])("is not: %s", (message) => expect(isSmallTalk(message)).toBe(false));
});

describe("the reply to small talk", () => {
  const quiet = { greeting: "", suggestedPrompts: [] };
  it.each([
    ["Hello!", quiet, say("answers:hello")],
    ["Bonjour", quiet, sayIn("fr")("answers:hello")],
    ["Thanks a lot", quiet, say("answers:welcome")],
    ["Merci", quiet, sayIn("fr")("answers:welcome")],
    ["Hi", { greeting: "Ask me about bikes.", suggestedPrompts: [] }, "Ask me about bikes."],
    [
      "Hi",
      { greeting: "", suggestedPrompts: ["When are we paid?", "Who fixes laptops?"] },
      `${say("answers:hello")}\n\n${say("answers:youCouldAsk")}\n\n- When are we paid?\n- Who fixes laptops?`,
    ],
  ])("%s", (message, agent, reply) => expect(replyToSmallTalk(message, agent)).toBe(reply));
});
