// Questions in none of a document's words: everyday paraphrases, and countries named in another language.
import { expect, it } from "vitest";
import { measuresOf } from "../../supabase/local/models/measures.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say, sayIn } from "../support/words.ts";

const unsure = say("answers:closest");

it("finds a sentence by a paraphrase, and is never sure of it", () => {
  const robbery = "In the event of a robbery nobody resists.";
  expect(ask("What should I do in a hold-up?", "The till is counted daily.", robbery)).toContain(robbery);
  const shoes = "Trainers are accepted, shorts are not.";
  const reply = ask("may I wear sneakers?", shoes);
  expect(reply).toContain(shoes);
  expect(reply.startsWith(unsure)).toBe(true);
});

it("finds a sentence by a remote word where nothing else helps, and is never sure of it", () => {
  const lactose = "Dishes without lactose can be ordered until 10 am.";
  const reply = ask("Which dishes have no butter?", "Dishes cost 12 euros.", lactose);
  expect(reply.startsWith(unsure)).toBe(true);
  expect(reply.indexOf(lactose)).toBeGreaterThan(0);
  expect(reply.indexOf(lactose)).toBeLessThan(reply.indexOf("Dishes cost"));
  // A text with the word itself is read as before.
  expect(ask("Do you sell butter?", "We sell butter.", lactose)).toBe("We sell butter. [1]");
});

it("finds a program, a format or the head of an organisation by its kind", () => {
  const assistants = "You may use AI assistants that IT has approved.";
  expect(ask("Am I allowed to use ChatGPT?", assistants, "Lunch is at noon.")).toBe(`${assistants} [1]`);
  const formats = "Drag them in: DOCX or CSV.";
  expect(ask("Which file types can I upload?", formats, "Sources are files that were uploaded.")).toContain(
    formats,
  );
  expect(ask("Can I put a PDF in a campaign?", "Attachments of a campaign are not supported.")).toContain(
    "Attachments",
  );
  const chair = "Chair: Winston Achebe.";
  expect(ask("Who's the boss of the association?", "Members meet in May.", chair)).toContain(chair);
  const wedding = "Your wedding: three days.";
  expect(ask("I'm getting married, how many days?", wedding, "Leave: 27 days.")).toContain(wedding);
});

it("is sure that what is welcome may be brought", () => {
  const dogs = "Dogs are welcome on a lead.";
  for (const asked of ["Can I bring my dog?", "Are dogs allowed?", "Are dogs accepted?"])
    expect(ask(asked, "The kiosk sells stamps.", dogs)).toBe(`${dogs} [2]`);
  const chiens = "Les chiens sont les bienvenus en laisse.";
  expect(ask("Puis-je amener mon chien ?", "Le kiosque vend des timbres.", chiens)).toBe(`${chiens} [2]`);
  expect(ask("Can I bring my cat?", "The kiosk sells stamps.", dogs)).not.toBe(`${dogs} [2]`);
});

it("is sure of what a sentence says of a thing a few words later", () => {
  const entry = "Children under 12 enter for free, adults pay 6 pounds.";
  expect(ask("Are children free?", "The kiosk sells stamps.", entry)).toBe(`${entry} [2]`);
  const leave = "Full pay lasts for the first of three weeks.";
  expect(ask("How long is a full week?", "The kiosk sells stamps.", leave)).not.toBe(`${leave} [2]`);
});

it("is sure of a time although a word stands apart, around it or nowhere", () => {
  const bonus = "A bonus of up to 6 % of the salary is paid in March.";
  expect(ask("When is the bonus paid?", "The kiosk sells stamps.", bonus)).toBe(`${bonus} [2]`);
  const meeting = { title: "Theatre · Board", content: "Next meeting: Tuesday 8 December at 6 pm." };
  expect(ask("When is the next board meeting?", meeting, "The kiosk sells stamps.")).toBe(
    `${meeting.content} [1]`,
  );
  const pottery = "Pottery is on Wednesday at 09:30.";
  expect(ask("On which weekday does pottery happen for us?", "The kiosk sells stamps.", pottery)).toBe(
    `${pottery} [2]`,
  );
});

it("finds a sentence by a turn of phrase, and is never sure of it", () => {
  const refund = "Whoever cancels a week before gets the deposit back.";
  const notice = "Absences are reported before nine.";
  for (const [asked, told] of [
    ["what if I changed my mind?", refund],
    ["what if I can't make it tomorrow?", notice],
    ["et si je peux pas venir demain ?", notice],
  ] as const) {
    const reply = ask(asked, "The kiosk sells stamps.", told);
    expect(reply, asked).toContain(told);
    expect([unsure, sayIn("fr")("answers:closest")].some((opening) => reply.startsWith(opening))).toBe(true);
  }
});

it.each([
  ["can i keep a snake", "Reptiles are not allowed in the flats."],
  ["can I come with my motorhome?", "Caravans stand on the meadow."],
  ["je peux garder mon labrador ?", "Les chiens sont interdits."],
  ["is there an ATM?", "The cash machine is in the hall."],
  ["What do I do if you go bust?", "Deposits are covered by the guarantee fund."],
  ["mon compost pue", "Si le compost sent mauvais, il est trop humide."],
  ["do you see snakes or lizards", "We see cats, dogs and other animals."],
  ["are you closed over christmas", "We are closed on public holidays."],
])("finds the rule for a kind of thing or a situation, and is never sure of it: %s", (asked, told) => {
  const reply = ask(asked, "The kiosk sells stamps.", told);
  expect(reply).toContain(told);
  expect([unsure, sayIn("fr")("answers:closest")].some((opening) => reply.startsWith(opening))).toBe(true);
});

it("knows a country by its name in every declared language", () => {
  const roaming =
    "| Country | SMS |\n| --- | --- |\n| Brazil | 0.39 |\n| South Africa | 0.45 |\n| Turkey | 0.25 |";
  expect(ask("Quel est le prix d'un SMS au Brésil ?", roaming)).toContain("0.39");
  expect(ask("Quel est le prix d'un SMS en Afrique du Sud ?", roaming)).toContain("0.45");
  expect(ask("Quel est le prix d'un SMS au Japon ?", roaming)).toBe(sayIn("fr")("answers:nothingFits"));
});

it("takes a word that is also an island for the word", () => {
  expect(ask("Quand est la prochaine réunion ?", "Next meeting on 4 May at noon.")).toContain("4 May");
});

it("answers a short question in a chat, whose subject is in the sentence before it, by the reply to it", () => {
  const chat =
    "**Omar**: A customer asked whether we buy old phones. Do we?\n\n**Nadia**: Yes, for up to 120 euros, paid as credit.";
  expect(ask("do you take old phones in exchange", "Phones are sold in the shop.", chat)).toContain(
    "120 euros",
  );
});

it("finds a time of day in a range of times", () => {
  const at = (question: string, term: string, kind: "any" | "yesNo" = "any") =>
    measuresOf(question, kind, [term]).get(term);
  expect(at("May I come at 1 pm?", "1")?.test("No child leaves between 12:00 and 2:30 pm.")).toBe(true);
  expect(at("je peux venir à 13 h ?", "13")?.test("Fermé entre 12 h et 14 h 30.")).toBe(true);
  expect(at("qui est là à 15h ?", "15h")?.test("Fermé de 12 h à 14 h 30.")).toBe(false);
  expect(at("je peux venir à 15h ?", "15h", "yesNo")?.test("Fermé de 12 h à 14 h 30.")).toBe(true);
});

it("finds a word that the texts write as two where they stand together", () => {
  const onCall = "A week on call pays 400 euros.";
  const reply = ask(
    "what do i get for being oncall",
    "Receipts are due on the 25th.",
    "You call a buddy.",
    onCall,
  );
  expect(reply.indexOf(onCall)).toBeGreaterThan(-1);
  expect(ask("what do i get for being oncall", "You call a buddy on Mondays.")).toBe(
    say("answers:nothingFits"),
  );
});
