// Measures the answerer on real questions, through a running stack's own API: how many replies are right, partly right, irrelevant or
// wrongly refused, and the verdict of the evidence check. Judges nothing. `npx tsx tests/bench/answers.ts [--show] [--one-chat] [--traps]
// [FOLDER]`: FOLDER has documents/ and questions.jsonl (tests/bench/questions describes them), or traps.jsonl for --traps. With --one-chat
// the questions follow one another in one chat, as a reader asks them: none may suffer from those before it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { call, fold, holds, logIn, makeAgent, type Question, questionsIn, startChat } from "./asking.ts";
import { type Judged, judge, reportVerdicts, share, type Verdict } from "./judging.ts";

const AT_ONCE = 3;
/** The list whose rows are looked up: one row in this many. */
const longList = "documents/spare-parts.csv";
const everyRow = 10;

type Support = { state: string; claims: { supported: boolean | null; text: string; reason?: string }[] };
type Reply = Judged & { support?: Support | null; suggestions?: string[] };

const folder =
  process.argv.slice(2).find((word) => !word.startsWith("-")) ??
  fileURLToPath(new URL("./questions", import.meta.url));
const show = process.argv.includes("--show");
const inOneChat = process.argv.includes("--one-chat");
const questions = questionsIn(folder, process.argv.includes("--traps") ? "traps.jsonl" : "questions.jsonl");

async function ask(token: string, chatId: string, asked: string[]): Promise<Reply> {
  let reply: Reply = { content: "", citations: [] };
  for (const content of asked) {
    reply = (await call<{ reply: Reply }>("POST", `/v1/chats/${chatId}/messages`, token, { content })).reply;
  }
  return reply;
}

const token = await logIn();
const agentId = await makeAgent(token, folder);
const byId = new Map(questions.map((question) => [question.id, question]));
const results: { question: Question; verdict: Verdict; reply: Reply }[] = [];
const left = [...questions];
await Promise.all(
  Array.from({ length: inOneChat ? 1 : AT_ONCE }, async () => {
    let chatId: string | undefined;
    for (let question = left.shift(); question; question = left.shift()) {
      if (!chatId || !inOneChat) chatId = await startChat(token, agentId);
      const before = question.after ? byId.get(question.after) : undefined;
      const reply = await ask(token, chatId, [...(before ? [before.q] : []), question.q]);
      results.push({ question, verdict: judge(question, reply), reply });
    }
  }),
);

if (show) {
  for (const { question, verdict, reply } of results.filter((one) => one.verdict !== "right")) {
    console.log(`\n${verdict.toUpperCase()} ${question.id}: ${question.q}`);
    console.log(`  wanted ${question.refuse ? "a refusal" : question.facts?.join(", ")}`);
    console.log(reply.content.replace(/^/gm, "  | "));
  }
  for (const { question, reply } of results) {
    for (const { text, reason } of reply.support?.claims.filter(({ supported }) => supported === false) ??
      []) {
      console.log(`\nUNSUPPORTED ${question.id}, ${reason}: ${text}`);
    }
  }
  console.log();
}
reportVerdicts(results);
/** Rows of the long price list, asked one by one. @returns the number of replies with the price and no other row's number */
async function lookUpRows(phrase: (name: string) => string): Promise<string> {
  const lines = readFileSync(join(folder, longList), "utf8").trim().split("\n").slice(1);
  const rows = lines.filter((_, at) => at % everyRow === 0).map((line) => line.split(","));
  let right = 0;
  const left = [...rows];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let row = left.shift(); row; row = left.shift()) {
        const [number = "", name = "", , , price = ""] = row;
        const { content } = await ask(token, await startChat(token, agentId), [phrase(name)]);
        const isAlone = (content.match(/P-\d{4}/g) ?? []).every((one) => one === number);
        if (holds(fold(content), price) && isAlone) right += 1;
        else if (show) console.log(`\nLOOK-UP ${phrase(name)}\n${content.replace(/^/gm, "  | ")}`);
      }
    }),
  );
  return `${right} of ${rows.length} rows of ${lines.length}`;
}
if (!inOneChat && existsSync(join(folder, longList))) {
  console.log(
    `${"look-ups".padEnd(12)} ${await lookUpRows((name) => `What does the ${name} cost?`)}, English`,
  );
  console.log(`${"".padEnd(12)} ${await lookUpRows((name) => `Combien coûte ${name} ?`)}, French`);
}
const suggesting = results.filter(({ reply }) => reply.suggestions?.length);
console.log(`${"suggestions".padEnd(12)} ${share(suggesting, results)} of the replies`);
for (const { question, reply } of show ? suggesting : []) {
  console.log(`${" ".repeat(13)}${question.q} → ${reply.suggestions?.join(" / ")}`);
}
const stateOf = ({ reply }: (typeof results)[number]) => reply.support?.state ?? "none";
for (const state of [...new Set(results.map(stateOf))].sort()) {
  const some = results.filter((one) => stateOf(one) === state);
  const right = some.filter(({ verdict }) => verdict === "right");
  console.log(`${"support".padEnd(12)} ${state}: ${some.length}, of which ${right.length} right`);
}
