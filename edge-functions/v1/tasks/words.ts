// Owns the mapping of a task's message code to its text in locales/*/taskMessages.json. The codes are set by sql/50_tasks.sql and
// edge-functions/indexing. Pure; an unknown code reads as "in progress".
import type { LanguageCode } from "../../../locales/registry.ts";
import { type MessageKey, type Say, sayIn } from "../../../locales/say.ts";

const numbers = [
  "done",
  "total",
  "listed",
  "documents",
  "chunks",
  "failed",
  "tests",
  "answered",
  "questions",
] as const;
type Values = Record<(typeof numbers)[number], number> & {
  type: string;
  title: string;
  name: string;
  time: string;
};
type Words = (say: Say, values: Values) => string;

/** The share that is done, by the task's type. An import has none: it counts tables, files and kinds of rows. */
const parts: Partial<Record<string, MessageKey>> = {
  index: "taskMessages:part",
  sync: "taskMessages:part",
  loadDocuments: "taskMessages:part",
  agentTests: "taskMessages:testing",
  gaps: "taskMessages:askingAgain",
};

/** While the total is unknown, no share of it can be shown. */
const afterPart = (say: Say, { type, done, total }: Values, words: string): string => {
  const key = Object.hasOwn(parts, type) ? parts[type] : undefined;
  if (total <= 0 || !key) return words;
  return say("taskMessages:afterPart", { part: say(key, { done, count: total }), step: words });
};
const step =
  (key: MessageKey): Words =>
  (say, values) =>
    afterPart(say, values, say(key, values));
const wait =
  (key: MessageKey): Words =>
  (say, values) => {
    const { time } = values;
    const words = say(key, values);
    return afterPart(say, values, time ? say("taskMessages:until", { step: words, time }) : words);
  };

const loadedText: Words = (say, { documents }) => say("taskMessages:loaded", { count: documents });
const indexedText: Words = (say, { documents, chunks }) =>
  say("taskMessages:withPassages", {
    result: say("taskMessages:indexed", { count: documents }),
    passages: say("taskMessages:passages", { count: chunks }),
  });
const withFailures =
  (words: Words): Words =>
  (say, values) =>
    say("taskMessages:withFailures", {
      result: words(say, values),
      failures: say("taskMessages:failures", { count: values.failed }),
    });

/** Messages composed of more than one text with values. */
const composed: Record<string, Words> = {
  queued: (say, { time }) => (time ? say("taskMessages:queuedUntil", { time }) : say("taskMessages:queued")),
  listing: (say, { listed }) =>
    listed > 0 ? say("taskMessages:listing", { count: listed }) : say("taskMessages:looking"),
  loaded: loadedText,
  indexed: indexedText,
  loadedWithFailures: withFailures(loadedText),
  indexedWithFailures: (say, values) =>
    withFailures(indexedText)(say, { ...values, documents: values.documents - values.failed }),
  allFailed: (say, { documents }) => say("taskMessages:allFailed", { count: documents }),
  testing: (say, { done, total }) => say("taskMessages:testing", { done, count: total }),
  tested: (say, { tests }) => say("taskMessages:tested", { count: tests }),
  foundQuestions: (say, { questions }) => say("taskMessages:foundQuestions", { count: questions }),
  askingAgain: (say, { done, total }) => say("taskMessages:askingAgain", { done, count: total }),
  reading: step("taskMessages:steps.reading"),
  indexing: step("taskMessages:steps.indexing"),
  embedding: step("taskMessages:steps.embedding"),
  movingSpace: step("taskMessages:steps.movingSpace"),
  stopping: step("taskMessages:steps.stopping"),
  stopped: step("taskMessages:steps.stopped"),
  waitingForModel: wait("taskMessages:steps.waitingForModel"),
  waitingForModelLimit: wait("taskMessages:steps.waitingForModelLimit"),
  waitingForSource: wait("taskMessages:steps.waitingForSource"),
  waitingForDatabase: wait("taskMessages:steps.waitingForDatabase"),
  waitingForStorage: wait("taskMessages:steps.waitingForStorage"),
  waitingForDisk: wait("taskMessages:steps.waitingForDisk"),
  waitingForAnswers: wait("taskMessages:steps.waitingForAnswers"),
};
const plain = {
  starting: "taskMessages:starting",
  modelRefused: "taskMessages:modelRefused",
  sourceRefused: "taskMessages:sourceRefused",
  storageReached: "taskMessages:storageReached",
  findingQuestions: "taskMessages:findingQuestions",
  waitingForAnswer: "taskMessages:waitingForAnswer",
  askedAgain: "taskMessages:askedAgain",
  importChecking: "taskMessages:importChecking",
  importReading: "taskMessages:importReading",
  importStoring: "taskMessages:importStoring",
  importWriting: "taskMessages:importWriting",
  imported: "taskMessages:imported",
  importRefused: "taskMessages:importRefused",
  failed: "taskMessages:failed",
  workerLost: "taskMessages:workerLost",
  workerDied: "taskMessages:workerDied",
} as const satisfies Record<string, MessageKey>;

/** The reader's language and time zone. */
export type Reader = { language: LanguageCode; timeZone: string };

/** A task's type and progress, and the code of its message. */
export interface Said {
  type: string;
  done: number;
  total: number;
  messageCode: string;
  messageParams: Record<string, unknown>;
}

/** The message of a task. Between its claim and its first step, it still has the code with which it was queued. */
export function messageOfTask(task: Said & { status: string }, reader: Reader): string {
  const { status, messageCode } = task;
  return messageOf(
    status === "running" && messageCode === "queued" ? { ...task, messageCode: "starting" } : task,
    reader,
  );
}

/** The message of a code, capitalized. */
export function messageOf({ messageCode: code, ...said }: Said, reader: Reader): string {
  const { language } = reader;
  const say = sayIn(language);
  const values = valuesOf(said, reader);
  const words = Object.hasOwn(composed, code) ? composed[code] : undefined;
  const key = Object.hasOwn(plain, code) ? plain[code as keyof typeof plain] : "taskMessages:working";
  const text = words ? words(say, values) : say(key, values);
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

function valuesOf({ type, done, total, messageParams }: Omit<Said, "messageCode">, reader: Reader): Values {
  const given: Record<string, unknown> = { done, total, ...messageParams };
  const word = (value: unknown) => (typeof value === "string" ? value : "");
  const number = (value: unknown) => (typeof value === "number" ? value : 0);
  const counted = Object.fromEntries(numbers.map((name) => [name, number(given[name])]));
  return {
    ...(counted as Record<(typeof numbers)[number], number>),
    type,
    title: word(given.title),
    name: word(given.name),
    time: timeOf(new Date(word(given.until)), reader),
  };
}

/** Adds "UTC" to the time, which is also used for a reader without a known zone. */
function timeOf(moment: Date, { language, timeZone }: Reader): string {
  if (Number.isNaN(moment.getTime())) return "";
  if (timeZone === "UTC") return `${moment.toISOString().slice(11, 16)} UTC`;
  return new Intl.DateTimeFormat(language, { timeStyle: "short", timeZone }).format(moment);
}
