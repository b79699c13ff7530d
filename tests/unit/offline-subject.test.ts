// When the built-in model is not sure of a sentence that shares the question's words and speaks of something else.
import { describe, expect, it } from "vitest";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say, sayIn } from "../support/words.ts";

const unsure = [say, sayIn("fr")].flatMap((one) => [one("answers:closest"), one("answers:nothingClose")]);
const isSure = (reply: string) =>
  /\[\d\]/.test(reply) && !unsure.some((opening) => reply.startsWith(opening));

describe("a sentence that shares the question's words", () => {
  it("answers with each of its words one word of the question", () => {
    const rooms = "Six salles pour 4 à 8 personnes se réservent sur CampusNet.";
    expect(isSure(ask("Y a-t-il une salle de sport ?", rooms))).toBe(false);
    expect(isSure(ask("Y a-t-il une salle ?", rooms))).toBe(true);
  });

  it("is not about the subject because its bounds contain a number", () => {
    const club = "Le club accueille les enfants de 5 à 14 ans gratuitement, de 10 h à 12 h.";
    expect(isSure(ask("C'est combien la taxe pour un enfant de 12 ans ?", club))).toBe(false);
    expect(isSure(ask("C'est combien le club pour un enfant de 12 ans ?", club))).toBe(true);
  });

  it("says its words of a child alone", () => {
    const sick = "A sick child under 14: up to ten paid days per year for each parent.";
    expect(isSure(ask("Am I paid when I am sick?", sick))).toBe(false);
    expect(isSure(ask("Am I paid when my child is sick?", sick))).toBe(true);
    expect(isSure(ask("Am I paid when I am sick?", "Sick staff are paid in full."))).toBe(true);
  });

  it("counts what the question counts", () => {
    const months = "Members may borrow more loans after three months.";
    expect(isSure(ask("Can I have three loans?", months))).toBe(false);
    expect(isSure(ask("Can I have three loans?", "Members may have three small loans."))).toBe(true);
  });

  it("says of what the thing is", () => {
    const waiting = "The waiting list stands at 37 children.";
    const asked = "How many children are on the waiting list for parties?";
    expect(isSure(ask(asked, waiting))).toBe(false);
    expect(isSure(ask(asked, `## Parties\n\n${waiting}`))).toBe(true);
    expect(isSure(ask("How many children are on the waiting list?", waiting))).toBe(true);
  });

  it("leaves two words of the question to the sentence that has them side by side", () => {
    const vans = "The mileage rates of the vans rise by two pence in January.";
    const hourly = "Prices: the hourly rates stay as they are until March.";
    expect(isSure(ask("When do the hourly rates rise by two pence?", vans, hourly))).toBe(false);
    expect(isSure(ask("When do the mileage rates rise by two pence?", vans, hourly))).toBe(true);
  });
});

describe("two questions in one", () => {
  const budget = "Le budget de formation est de 900 € par personne et par an.";
  const asked = "Quel est le budget de formation et à qui remettre la demande ?";

  it("are answered by halves: the reply names the one whose kind of answer is missing", () => {
    const half = "à qui remettre la demande";
    expect(ask(asked, budget)).toBe(`${budget} [1]\n\n${sayIn("fr")("answers:nothingHalf", { half })}`);
    const pitch = "A pitch costs 90 euros.";
    const gate = "Visitors pay at the gate of the hall.";
    expect(ask("What does a pitch cost and when do I pay?", pitch, gate)).toBe(
      `${pitch} [1]\n\n${say("answers:closestHalf", { half: "when do I pay" })}\n\n${gate} [2]`,
    );
    expect(isSure(ask("Quel est le budget de formation ?", budget))).toBe(true);
    expect(isSure(ask(asked, `${budget.slice(0, -1)}, sur demande remise à Thomas Vidal.`))).toBe(true);
  });

  it("are named when a yes or no has only the first half's quote", () => {
    const dogs = "Dogs are welcome in the garden.";
    const half = "is there a pool";
    expect(ask("Are dogs welcome in the garden, and is there a pool?", dogs)).toBe(
      `${dogs} [1]\n\n${say("answers:nothingHalf", { half })}`,
    );
    expect(ask("Are dogs and cats welcome?", "Dogs and cats are welcome.")).toBe(
      "Dogs and cats are welcome. [1]",
    );
  });
  it("name a long half by its beginning, on one line", () => {
    const reply = ask(
      `Quel est le budget de formation et à qui\nremettre ${"la demande ".repeat(30)}?`,
      budget,
    );
    const half = `à qui remettre${" la demande".repeat(9)} la …`;
    expect(reply).toBe(`${budget} [1]\n\n${sayIn("fr")("answers:nothingHalf", { half })}`);
  });
});

describe("a sentence about its document", () => {
  const title = "Travel costs and expenses";
  const firstOf = (question: string, ...contents: string[]) =>
    ask(question, ...contents.map((content) => ({ title, content })))
      .split("\n\n")
      .find((part) => !part.endsWith(":"));

  it("says nothing about what the document is for", () => {
    const manager =
      "Deadline: Hand in a claim within 60 days of the expense.\n\nApproval: Your manager approves claims up to 1,000 euros; above it the chief financial officer signs too.";
    const policy =
      "This policy has applied since 1 February. It was approved by Lieve Van Acker, chief financial officer.";
    expect(firstOf("Who approves expenses?", policy, manager)).toContain("Your manager");
    expect(firstOf("Who approved this policy?", policy, manager)).toContain("Lieve Van Acker");
  });
  it("is one in French too", () => {
    const head = "Le chef de service approuve les congés de chacun.";
    const charter = "Cette charte a été approuvée par Ida Rey, cheffe du service.";
    expect(firstOf("Qui approuve ?", charter, head)).toContain("chef de service");
    expect(firstOf("Qui a approuvé la charte ?", charter, head)).toContain("Ida Rey");
  });
});
