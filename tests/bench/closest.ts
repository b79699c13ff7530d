// Fits the weights of supabase/local/models/closest.ts over a running stack's own API: `npx tsx tests/bench/closest.ts FOLDER FOLDER …`, each
// folder a set of questions. Prints how many unsure replies have the answer among their closest sentences, and the weights; judges nothing.
import { buildPrompt } from "../../edge-functions/answering/prompt.ts";
import { closeness, type Signals, signalsOf, weights } from "../../supabase/local/models/closest.ts";
import { scoreUnits } from "../../supabase/local/models/extract.ts";
import { passagesIn } from "../../supabase/local/models/prompt-reading.ts";
import { readQuestion } from "../../supabase/local/models/question.ts";
import { call, fold, holds, logIn, makeAgent, type Question, questionsIn, startChat } from "./asking.ts";
import { fitPairs } from "./pairwise.ts";

/** The number of closest sentences that a reply shows. */
const shown = 6;
/** For each question the answer with the best score is compared with this many other sentences. */
const compared = 30;
const names = Object.keys(weights) as (keyof Signals)[];

type Sentence = { text: string; signals: Signals; isAnswer: boolean };
type Asked = { set: string; facts: string[]; sentences: Sentence[] };
type Considered = { index: number | null; title: string; heading: string; content: string };

/** @returns the sentences that the model scored for a question; none when it is sure, or when Postgres computed the answer */
async function sentencesFor(
  token: string,
  agentId: string,
  { q, facts = [] }: Question,
): Promise<Sentence[]> {
  const chatId = await startChat(token, agentId);
  const path = `/v1/chats/${chatId}/messages`;
  const { reply } = await call<{ reply: { id: string; support?: { state: string } | null } }>(
    "POST",
    path,
    token,
    { content: q },
  );
  if (reply.support?.state === "answered") return [];
  const { data } = await call<{ data: Considered[] }>("GET", `${path}/${reply.id}/passages`, token);
  const kept = data.flatMap(({ index, ...one }) => (index === null ? [] : [{ ...one, index }]));
  const prompt = buildPrompt({
    agent: { name: "", instructions: "" },
    passages: kept.map((one) => ({ ...one, preface: "", page: null })),
    history: [],
    question: q,
    nonce: "bench",
    grounded: true,
  });
  const asked = readQuestion(q);
  const { all, wanted } = scoreUnits(
    asked,
    prompt.flatMap(({ content }) => passagesIn(content)),
  );
  const best = Math.max(...all.map(({ gain }) => gain));
  return all.map((one) => ({
    text: one.unit.text,
    signals: signalsOf(one, asked, best, wanted.length),
    isAnswer: facts.every((fact) => holds(fold(one.unit.text), fact)),
  }));
}

const token = await logIn();
const all: Asked[] = [];
for (const folder of process.argv.slice(2)) {
  const agentId = await makeAgent(token, folder);
  for (const question of questionsIn(folder)) {
    const { facts, refuse, greeting, after } = question;
    if (!facts || refuse || greeting || after) continue;
    all.push({ set: folder, facts, sentences: await sentencesFor(token, agentId, question) });
  }
}
const unsure = all.filter(({ sentences }) => sentences.length > 0);

/** The answer's signals less those of each other sentence, for each question of some sets. */
function pairsOf(some: Asked[]): number[][][] {
  return some.flatMap(({ sentences }) => {
    const ranked = sentences.toSorted((a, b) => b.signals.score - a.signals.score);
    const answer = ranked.find(({ isAnswer }) => isAnswer);
    const others = ranked.filter(({ isAnswer }) => !isAnswer).slice(0, compared);
    if (!answer || others.length === 0) return [];
    return [others.map(({ signals }) => names.map((name) => answer.signals[name] - signals[name]))];
  });
}

const fitOn = (some: Asked[]): Map<string, number> =>
  new Map(fitPairs(pairsOf(some)).map((weight, at): [string, number] => [names[at] ?? "", weight]));

/** True when the sentences that an order puts first contain the facts together. */
function isShown({ facts, sentences }: Asked, worth: (signals: Signals) => number): boolean {
  const ranked = sentences.toSorted((a, b) => worth(b.signals) - worth(a.signals));
  const texts = [...new Set(ranked.map(({ text }) => text))].slice(0, shown);
  return facts.every((fact) => texts.some((text) => holds(fold(text), fact)));
}

const sets = new Map(
  [...new Set(unsure.map(({ set }) => set))].map((set) => [
    set,
    fitOn(unsure.filter((one) => one.set !== set)),
  ]),
);
const byOthers = (set: string) => (signals: Signals) =>
  names.reduce((sum, name) => sum + (sets.get(set)?.get(name) ?? 0) * signals[name], 0);
const count = (worthOf: (set: string) => (signals: Signals) => number) =>
  unsure.filter((one) => isShown(one, worthOf(one.set))).length;
console.log(
  `unsure replies to answerable questions: ${unsure.length}; the answer is among the ${shown} closest sentences`,
);
console.log(
  `by their score alone:                ${count(
    () =>
      ({ score }) =>
        score,
  )}`,
);
console.log(`by today's weights:                  ${count(() => closeness)}`);
console.log(`by weights fitted on the other sets: ${count(byOthers)}`);
console.log(
  "fitted on all sets:",
  Object.fromEntries([...fitOn(unsure)].map(([name, weight]) => [name, weight.toFixed(2)])),
);
