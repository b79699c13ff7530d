// Owns what a task's message says in each language. The codes are those of sql/50_tasks.sql and edge-functions/indexing.
// Pure; an unknown code says only that work goes on.
import type { Language } from "../language.ts";

/** What a message can be about: the task's progress, and the parameters that the worker wrote with the code. */
type Values = Record<string, unknown>;
type Words = Record<Language, (values: Values) => string>;

const number = (value: unknown) => (typeof value === "number" ? value : 0);
const word = (value: unknown) => (typeof value === "string" ? value : "");

/** French takes the singular for 0 as well. */
const documents: Record<Language, (n: number) => string> = {
  en: (n) => `${n.toLocaleString("en")} ${n === 1 ? "document" : "documents"}`,
  fr: (n) => `${n.toLocaleString("fr")} ${n < 2 ? "document" : "documents"}`,
};
const passages: Record<Language, (n: number) => string> = {
  en: (n) => `${n.toLocaleString("en")} ${n === 1 ? "passage" : "passages"}`,
  fr: (n) => `${n.toLocaleString("fr")} ${n < 2 ? "passage" : "passages"}`,
};

/** "42 of 310 documents"; nothing before the number of documents is known. */
const part: Words = {
  en: ({ done, total }) => (number(total) > 0 ? `${number(done)} of ${documents.en(number(total))}` : ""),
  fr: ({ done, total }) => (number(total) > 0 ? `${number(done)} sur ${documents.fr(number(total))}` : ""),
};

/** A step in words after how far the task is. */
const step = (words: Words): Words => ({
  en: (values) => [part.en(values), words.en(values)].filter(Boolean).join(", "),
  fr: (values) => [part.fr(values), words.fr(values)].filter(Boolean).join(", "),
});

/** UTC, since the reader's zone is not known here. */
const time = (language: Language, value: unknown) => {
  const moment = new Date(word(value));
  if (Number.isNaN(moment.getTime())) return "";
  const clock = moment.toISOString().slice(11, 16);
  return language === "fr" ? ` jusqu’à ${clock} UTC` : ` until ${clock} UTC`;
};
const wait = (en: string, fr: string): Words =>
  step({
    en: ({ until }) => `waiting for ${en}${time("en", until)}`,
    fr: ({ until }) => `attend ${fr}${time("fr", until)}`,
  });

const finished = (en: string, fr: string): Words => ({
  en: (v) => `${en} ${documents.en(number(v.documents))}`,
  fr: (v) => `${documents.fr(number(v.documents))} ${fr}${number(v.documents) < 2 ? "" : "s"}`,
});
const withPassages = (words: Words): Words => ({
  en: (v) => `${words.en(v)}, ${passages.en(number(v.chunks))}`,
  fr: (v) => `${words.fr(v)}, ${passages.fr(number(v.chunks))}`,
});
const withFailures = (words: Words): Words => ({
  en: (v) => `${words.en(v)}; ${number(v.failed)} could not be read`,
  fr: (v) => `${words.fr(v)} ; ${number(v.failed)} illisible${number(v.failed) < 2 ? "" : "s"}`,
});
const indexed = withPassages(finished("Indexed", "indexé"));
const loaded = finished("Listed", "recensé");

const fallback: Words = { en: () => "At work", fr: () => "En cours" };

const messages: Record<string, Words> = {
  queued: { en: () => "Waiting for its turn", fr: () => "En attente de son tour" },
  starting: { en: () => "Starting", fr: () => "Démarre" },
  listing: {
    en: (v) =>
      number(v.listed) > 0
        ? `Looking up which documents there are: ${documents.en(number(v.listed))} so far`
        : "Looking up which documents there are",
    fr: (v) =>
      number(v.listed) > 0
        ? `Recherche des documents : ${documents.fr(number(v.listed))} pour l’instant`
        : "Recherche des documents",
  },
  reading: step({ en: (v) => `reading “${word(v.title)}”`, fr: (v) => `lecture de « ${word(v.title)} »` }),
  indexing: step({
    en: (v) => `indexing “${word(v.title)}”`,
    fr: (v) => `indexation de « ${word(v.title)} »`,
  }),
  embedding: step({
    en: (v) => `embedding “${word(v.title)}”`,
    fr: (v) => `vectorisation de « ${word(v.title)} »`,
  }),
  movingSpace: step({
    en: (v) => `moving “${word(v.name)}” to another embedding model`,
    fr: (v) => `passage de « ${word(v.name)} » à un autre modèle de vectorisation`,
  }),
  waitingForModel: wait("the embedding model", "le modèle de vectorisation"),
  waitingForModelLimit: wait("the embedding model’s rate limit", "la limite de débit du modèle"),
  waitingForSource: wait("the source", "la source"),
  waitingForDatabase: wait("the database", "la base de données"),
  stopping: step({ en: () => "stopping after this step", fr: () => "s’arrête après cette étape" }),
  stopped: step({ en: () => "stopped", fr: () => "arrêtée" }),
  indexed,
  indexedWithFailures: withFailures(indexed),
  loaded,
  loadedWithFailures: withFailures(loaded),
  allFailed: {
    en: (v) => `None of ${documents.en(number(v.documents))} could be read`,
    fr: (v) => `Aucun document lisible sur ${number(v.documents).toLocaleString("fr")}`,
  },
  modelRefused: {
    en: () => "The embedding model refused the work",
    fr: () => "Le modèle de vectorisation a refusé le travail",
  },
  sourceRefused: {
    en: () => "The source refused to be read",
    fr: () => "La source a refusé la lecture",
  },
  importChecking: { en: () => "Checking the archive", fr: () => "Vérification de l’archive" },
  importReading: {
    en: (v) => `Reading ${word(v.name)}`,
    fr: (v) => `Lecture de ${word(v.name)}`,
  },
  importStoring: {
    en: (v) => `Storing “${word(v.name)}”`,
    fr: (v) => `Enregistrement de « ${word(v.name)} »`,
  },
  imported: { en: () => "Imported the team", fr: () => "Équipe importée" },
  importRefused: {
    en: () => "The archive was refused, and nothing of it was kept",
    fr: () => "L’archive a été refusée et rien n’en a été gardé",
  },
  failed: { en: () => "Failed", fr: () => "Échec" },
  workerLost: {
    en: () => "The worker stopped, and another one went on",
    fr: () => "Le traitement s’est interrompu, puis a repris",
  },
  workerDied: {
    en: () => "Gave up: the worker stopped several times",
    fr: () => "Abandon : le traitement s’est arrêté plusieurs fois",
  },
};

/** The message of a code, with its first letter large. */
export function messageOf(code: string, values: Values, language: Language): string {
  const text = (messages[code] ?? fallback)[language](values);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
