// Re-ranking search results by words of the same meaning.
import { expect, it } from "vitest";
import { leastScoreOffline } from "../../edge-functions/answering/passages.ts";
import { reread, sharesOf } from "../../edge-functions/answering/rereading.ts";
import type { Hit } from "../../edge-functions/answering/retrieve.ts";

const hit = (content: string, score: number, more: Partial<Hit> = {}) =>
  ({ chunkId: content, title: "Guide", heading: "", preface: "", content, score, ...more }) as Hit;
const order = (question: string, hits: Hit[]) => reread(question, hits).map(({ content }) => content);

const leave = hit("You have 26 days off: ask for your leave three weeks ahead.", 0.5);
const days = hit("Damage is reported within seven days.", 0.6);

it("re-ranking puts a passage first that uses other words for the question", () => {
  expect(order("Is there any vacation?", [days, leave])).toEqual([leave.content, days.content]);
  expect(order("How many days?", [days, leave])).toEqual([days.content, leave.content]);
});

it("re-ranking finds a remote word where no passage has the question's own", () => {
  const lactose = hit("Without lactose: order before ten.", 0.5);
  const butter = hit("We churn butter.", 0.5);
  expect(order("any butter?", [days, lactose])[0]).toBe(lactose.content);
  expect(order("any butter?", [lactose, butter])[0]).toBe(butter.content);
});

it("re-ranking counts a word with a short stem also where another passage has its synonym", () => {
  const wedding = hit("Your wedding: three days.", 0.6);
  expect(order("How many days for my wedding?", [leave, wedding])[0]).toBe(wedding.content);
});

it("re-ranking finds a code written as two words, and a phrase by its single word", () => {
  const soc = hit("SOC 2 is not planned.", 0.5);
  const officer = hit("The data protection officer is Elke Vos.", 0.5);
  expect(order("Do you have SOC2?", [days, soc])[0]).toBe(soc.content);
  expect(order("who is the DPO?", [days, officer])[0]).toBe(officer.content);
  // The words of a phrase may be joined by a hyphen or an apostrophe.
  const wireless = hit("The code of the Wi-Fi is on the card.", 0.5);
  expect(order("how do I get internet?", [days, wireless])[0]).toBe(wireless.content);
});

it("re-ranking puts an age limit first where hardly another word is asked", () => {
  const joining = hit("You must be 18 or over to ride along.", 0.4);
  expect(order("how old do you have to be", [days, leave, joining])[0]).toBe(joining.content);
});

it("re-ranking keeps computed results first, and half-matching passages in the list", () => {
  const computed = hit("3 rows", 1, { computed: { quote: "" } });
  const far = { ...leave, score: 0.01 };
  const [first, second, third] = reread("vacation", [computed, far, { ...days, score: 0.02 }]);
  expect([first?.content, second?.content, second?.score]).toEqual([
    "3 rows",
    leave.content,
    leastScoreOffline,
  ]);
  expect(third?.score).toBe(0.02);
});

it("re-ranking keeps a passage with a sixth of the question, however far the search found it", () => {
  const far = { ...leave, score: 0.01 };
  const [first] = reread("vacation sherry piano", [far, { ...days, score: 0.01 }]);
  expect(first).toMatchObject({ content: leave.content, score: leastScoreOffline });
});

it("re-ranking keeps a related passage that the search scored 0, alone or not", () => {
  const entry = { ...hit("Adults pay 6 pounds.", 0), score: 0 };
  const asked = "How much does it cost?";
  expect(reread(asked, [entry])).toMatchObject([{ score: leastScoreOffline }]);
  expect(reread(asked, [{ ...days, score: 0 }, entry])).toMatchObject([
    { content: entry.content, score: leastScoreOffline },
    { content: days.content, score: 0 },
  ]);
});

it("re-ranking changes nothing for an empty question or an empty list", () => {
  expect(order("", [days, leave])).toEqual([days.content, leave.content]);
  expect(order("vacation", [])).toEqual([]);
});

it("re-ranking finds a misspelt word, and the singular of a French plural", () => {
  const overtime = hit("Overtime is given back as time off.", 0.55);
  const bike = hit("Le vélo est au sous-sol.", 0.32);
  const rooms = hit("Les locaux sont à Paris.", 0.3);
  const offices = hit("Les bureaux sont à Lyon.", 0.3);
  expect(order("overtme?", [days, overtime])[0]).toBe(overtime.content);
  expect(order("Où est le local ?", [days, rooms])[0]).toBe(rooms.content);
  expect(order("Où est le bureau ?", [bike, offices])[0]).toBe(offices.content);
  expect(order("Où sont les bureaux ?", [bike, hit("Le bureau est à Lyon.", 0.3)])[0]).toContain("bureau");
});

it("re-ranking prefers a section about a word to a mention of it", () => {
  const section = hit("The cycles are 6 weeks.", 0.5, { heading: "Work › Cycles" });
  const mention = hit("Your review cycles are better.", 0.501);
  expect(order("How long are the cycles?", [mention, section])[0]).toBe(section.content);
});

it("re-ranking prefers a passage with the requested kind of answer", () => {
  const rule = hit("The depot is for members.", 0.52);
  const hours = hit("The depot opens at 8 am.", 0.5);
  expect(order("Who may use the depot?", [rule, hours])[0]).toBe(rule.content);
  expect(order("What time can I come to the depot?", [rule, hours])[0]).toBe(hours.content);
  expect(order("À quelle heure vient-on au dépôt ?", [rule, hours])[0]).toBe(hours.content);
});

it("re-ranking compares a pasted text by both of its ends", () => {
  const pasted = "zither ".repeat(2_000);
  const question = `sherry ${pasted} cello ${pasted} piano`;
  const shares = ["sherry", "cello", "piano"].map((word) => sharesOf(question, [hit(`A ${word}.`, 0.5)]));
  expect(shares).toEqual([[1 / 3], [0], [1 / 3]]);
});

it("re-ranking puts an outdated edition behind the current one", () => {
  const old = hit("The lamp costs 20 euros.", 0.6, { title: "prices-2024.csv" });
  const current = hit("The lamp costs 25 euros.", 0.55, { title: "prices-2026.csv" });
  expect(order("What does the lamp cost?", [old, current])[0]).toBe(current.content);
  expect(order("What did the lamp cost in 2024?", [old, current])[0]).toBe(old.content);
});

it("re-ranking finds a short word that ends in e, and no longer word that begins like it", () => {
  const miles = hit("Travel is paid at 45p a mile.", 0.5);
  const milling = hit("Milling takes seven hours.", 0.55);
  expect(order("mileage?", [days, milling, miles])[0]).toBe(miles.content);
  const free = hit("L'entrée est gratuite.", 0.5);
  expect(order("Is it free?", [days, free])[0]).toBe(free.content);
  expect(order("C'est gratuit ?", [days, hit("Children enter for free.", 0.5)])[0]).toBe(
    "Children enter for free.",
  );
});

it("re-ranking gives the sixth place to the passage with the most words, unless the one in it has many", () => {
  const all = "otters, badgers, weasels, voles";
  const five = ["A", "B", "C", "D", "E"].map((name) => hit(`${name}: ${all}`, 0.9));
  const others = Array.from({ length: 6 }, (_, at) => hit(`Text ${at}.`, 0.1));
  const sixth = (near: string, worded: string) =>
    reread(all, [...five, hit(near, 0.9), hit(worded, 0.1), ...others])[5]?.content;
  expect(sixth("Otters swim.", "Badgers hunt weasels and voles.")).toBe("Badgers hunt weasels and voles.");
  expect(sixth("Otters hunt voles.", `We feed ${all}.`)).toBe("Otters hunt voles.");
});

it("re-ranking finds a compound that the question writes as one word", () => {
  const room = hit("En-suite rooms measure 14 square metres.", 0.5);
  expect(order("How big is the ensuite?", [days, room])[0]).toBe(room.content);
});

it("re-ranking finds the rule for other countries where no passage names the country", () => {
  const abroad = hit("Tell us twelve weeks before you travel abroad.", 0.5);
  expect(order("How early must I say that I go to Portugal?", [days, abroad])[0]).toBe(abroad.content);
  const named = hit("In Portugal the office is closed.", 0.5);
  expect(order("Is Portugal open?", [abroad, named])[0]).toBe(named.content);
});

it("re-ranking takes an age limit for the age of a person", () => {
  const limit = hit("Anyone under 14 plays with a grown-up.", 0.5);
  const other = hit("The bar has tea.", 0.5);
  expect(order("do I have to go in with my 12 year old", [other, limit])[0]).toBe(limit.content);
});

it("re-ranking counts a word of the title or of a higher heading less than the passage's own", () => {
  const heading = "Adopting an otter › Visiting hours";
  const section = hit("We open at ten.", 0.55, { title: "Adopting", heading });
  const own = hit("Otters: 61 since January.", 0.5);
  expect(order("How many otters?", [section, own])[0]).toBe(own.content);
  expect(order("How many otters?", [{ ...section, heading: "Otter" }, own])[0]).toBe(section.content);
});
