// Measures the built-in answerer without a stack: `npx tsx tests/bench/replay.ts --record=DIR FOLDER …` once records, through a running stack's
// database, what search and computation find for each question of some sets; `npx tsx tests/bench/replay.ts DIR [NAME …] [--out=FILE]
// [--against=FILE]` then answers them with the code as it is. Judges as answers.ts does; a change of the search needs a new recording.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { asService, closeDatabase } from "../../edge-functions/_shared/database/db.ts";
import { teamModels } from "../../edge-functions/_shared/models/team-models.ts";
import type { AnsweringAgent } from "../../edge-functions/answering/agent.ts";
import { chooseAmong, type Gathered, gather } from "../../edge-functions/answering/candidates.ts";
import { isSmallTalk, nothingFoundFor, replyToSmallTalk } from "../../edge-functions/answering/no-passage.ts";
import { buildPrompt } from "../../edge-functions/answering/prompt.ts";
import { functionEnv } from "../../supabase/local/environments.ts";
import { extractReply } from "../../supabase/local/models/extract.ts";
import { loadSecrets } from "../../supabase/local/secrets.ts";
import { readSettings } from "../../supabase/local/settings.ts";
import { logIn, makeAgent, makeTeam, type Question, questionsIn } from "./asking.ts";
import { isSureReply, type Judged, judge, reportVerdicts, share, type Verdict } from "./judging.ts";

/** The agents of one team, which holds a limited number of documents. */
const agentsPerTeam = 4;
const AT_ONCE = 3;
const files = ["questions.jsonl", "traps.jsonl"] as const;

type Hit = Gathered["hits"][number];
/** A set's passages once, and for each question the places of those that were found. */
type Recording = {
  folder: string;
  agentId: string;
  passages: Hit[];
  asked: {
    file: string;
    id: string;
    question: string;
    choices: string[];
    found: [place: number, score: number][];
  }[];
};
type Result = { name: string; file: string; question: Question; verdict: Verdict; reply: Judged };

const words = process.argv.slice(2).filter((word) => !word.startsWith("-"));
/** Asks the agents of an earlier recording, whose team is still there, instead of uploading the documents again. */
const isAgain = process.argv.includes("--again");
const option = (name: string) =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);

const filesOf = (folder: string) => files.filter((file) => existsSync(join(folder, file)));

/** Records a set through the stack of PARLEY_PORT_OFFSET and PARLEY_DATA_DIR. */
async function record(folder: string, agent: AnsweringAgent): Promise<Recording> {
  const models = teamModels(agent.models, { teamId: agent.teamId, agentId: agent.id, channel: "bench" });
  const places = new Map<string, number>();
  const recording: Recording = { folder: resolve(folder), agentId: agent.id, passages: [], asked: [] };
  const placeOf = (hit: Hit) => {
    // A computed row has the text of its own question, and may be a guess for another one.
    const key = hit.computed ? `${hit.chunkId} ${hit.computed.isGuess} ${hit.content}` : hit.chunkId;
    const known = places.get(key) ?? recording.passages.push(hit) - 1;
    places.set(key, known);
    return known;
  };
  for (const file of filesOf(folder)) {
    const byId = new Map(questionsIn(folder, "questions.jsonl").map((one) => [one.id, one]));
    const left = questionsIn(folder, file).filter(({ q }) => !isSmallTalk(q));
    const askAll = async () => {
      for (let one = left.shift(); one; one = left.shift()) {
        const before = one.after ? byId.get(one.after) : undefined;
        const gathered = await gather({ role: "authenticated", agent_id: agent.id }, models, {
          agent,
          model: agent.model,
          history: before ? [{ role: "user", content: before.q }] : [],
          question: one.q,
          signal: new AbortController().signal,
        });
        const found = gathered.hits.map((hit): [number, number] => [placeOf(hit), hit.score]);
        const { question, choices } = gathered;
        recording.asked.push({ file, id: one.id, question, choices, found });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, askAll));
  }
  await models.settle();
  return recording;
}

async function recordAll(dir: string, folders: string[]): Promise<void> {
  const settings = readSettings(process.env);
  const context = { settings, secrets: await loadSecrets(settings.dataDir), env: process.env };
  Object.assign(process.env, functionEnv(context, "v1"));
  mkdirSync(dir, { recursive: true });
  const token = await logIn();
  let teamId = "";
  for (const [at, folder] of folders.entries()) {
    const file = join(dir, `${basename(folder)}.json`);
    const known = isAgain ? (JSON.parse(readFileSync(file, "utf8")) as Recording).agentId : undefined;
    if (!known && at % agentsPerTeam === 0) teamId = await makeTeam(token);
    const agentId = known ?? (await makeAgent(token, folder, teamId));
    const [row] = await asService(
      (tx) => tx<{ agent: AnsweringAgent }[]>`select private.answering_agent(${agentId}) as agent`,
    );
    if (!row) throw new Error(`No agent has the id ${agentId}.`);
    const recording = await record(folder, row.agent);
    writeFileSync(file, JSON.stringify(recording));
    console.log(`${basename(folder)}: ${recording.asked.length} questions`);
  }
  await closeDatabase();
}

const helper = { name: "Helper", instructions: "", greeting: "", suggestedPrompts: [] };
/** As a new agent has them. */
const usual = { retrievalTopK: 6, retrievalMinScore: 0 };

/** The reply of the built-in model to a recorded question. */
function replyTo({ q }: Question, recorded: Recording["asked"][number] | undefined, known: Hit[]): Judged {
  if (isSmallTalk(q)) return { content: replyToSmallTalk(q, helper), citations: [] };
  if (!recorded) throw new Error(`No recording has this question; record its set again: ${q}`);
  const { question, choices } = recorded;
  const hits = recorded.found.flatMap(([place, score]) => {
    const passage = known[place];
    return passage ? [{ ...passage, score }] : [];
  });
  const found = { hits, tables: new Map(), searchedFor: null, isLeaning: false, usage: null };
  const { kept, further } = chooseAmong({ found, question, hits, choices }, usual, true);
  if (kept.length === 0) return { content: nothingFoundFor(q), citations: [] };
  const passages = [...kept, ...further.map((one) => ({ ...one, isFurther: true as const }))];
  const content = extractReply(
    buildPrompt({ agent: helper, passages, history: [], question, nonce: "bench", grounded: true }),
  );
  const cited = new Set([...content.matchAll(/\[(\d+)\]/g)].map(([, index]) => Number(index)));
  return { content, citations: passages.filter(({ index }) => cited.has(index)) };
}

function replay(dir: string, file: string): Result[] {
  const { folder, passages, asked } = JSON.parse(readFileSync(join(dir, file), "utf8")) as Recording;
  const name = basename(folder);
  return filesOf(folder).flatMap((file) => {
    const recorded = new Map(asked.filter((one) => one.file === file).map((one) => [one.id, one]));
    return questionsIn(folder, file).map((question) => {
      const reply = replyTo(question, recorded.get(question.id), passages);
      return { name, file, question, verdict: judge(question, reply), reply };
    });
  });
}

/** One line for each question, to compare two runs by. */
const lineOf = ({ name, file, question, verdict, reply }: Result) =>
  JSON.stringify({
    key: `${name} ${file} ${question.id}`,
    verdict: `${verdict}, ${isSureReply(reply) ? "sure" : "unsure"}`,
    q: question.q,
    facts: question.refuse ? "a refusal" : question.facts,
    reply: reply.content,
  });

function compare(now: string[], before: string[]): void {
  const read = (line: string) => JSON.parse(line) as { key: string; verdict: string; q: string };
  const earlier = new Map(before.map(read).map((one) => [one.key, one]));
  for (const { key, verdict, q } of now.map(read)) {
    const was = earlier.get(key)?.verdict;
    if (was !== undefined && was !== verdict) console.log(`${key}: ${was} -> ${verdict}: ${q}`);
  }
}

function replayAll(dir: string, names: string[]): void {
  const wanted = readdirSync(dir).filter(
    (file) => names.length === 0 || names.includes(basename(file, ".json")),
  );
  const results = wanted.flatMap((file) => replay(dir, file));
  const lines = results.map(lineOf);
  const out = option("out");
  if (out) writeFileSync(out, `${lines.join("\n")}\n`);
  const against = option("against");
  if (against) compare(lines, readFileSync(against, "utf8").trim().split("\n"));
  const asked = results.filter(({ file }) => file === "questions.jsonl");
  const traps = results.filter(({ file }) => file === "traps.jsonl");
  console.log(`${wanted.length} sets`);
  reportVerdicts(asked);
  const sure = (some: Result[], isRight: boolean) =>
    some.filter(({ verdict, reply }) => isSureReply(reply) && (verdict === "right") === isRight);
  console.log(`${"sure, right".padEnd(12)} ${share(sure(asked, true), asked)}`);
  console.log(`${"sure, wrong".padEnd(12)} ${share(sure(asked, false), asked)}`);
  if (traps.length > 0)
    console.log(`${"traps".padEnd(12)} ${share(sure(traps, false), traps)} sure and wrong`);
}

const recordedIn = option("record");
if (recordedIn !== undefined) await recordAll(recordedIn, words);
else replayAll(words[0] ?? "", words.slice(1));
