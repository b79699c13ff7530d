// Owns reading collections with known answers, and scoring a ranking of their documents. Collections are never part of the repository.
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Text } from "../support/searchable.ts";

export const formOfCollections = `The folder holds collections, or is one; each is a folder with
  docs.jsonl     {"id": "1", "title": "...", "text": "..."} on each line
  queries.jsonl  {"id": "1", "text": "..."} on each line
  qrels.tsv      a header line, then: query id, document id, gain, separated by tabs
Any collection of BEIR or ir_datasets can be written like this; the gains of "not relevant" are 0 or absent.`;

export type Collection = {
  name: string;
  docs: { id: string; title: string; text: string }[];
  queries: { id: string; text: string }[];
  gains: Map<string, Map<string, number>>;
};

export function collectionsIn(folder: string): Collection[] {
  const isCollection = (path: string) => existsSync(join(path, "qrels.tsv"));
  if (!folder || !existsSync(folder)) return [];
  if (isCollection(folder)) return [read(folder)];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter(isCollection)
    .map(read);
}

function read(folder: string): Collection {
  const lines = (name: string) => readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean);
  const gains: Collection["gains"] = new Map();
  for (const line of lines("qrels.tsv").slice(1)) {
    const [query = "", document = "", gain = "0"] = line.split("\t");
    if (Number(gain) > 0) gains.set(query, (gains.get(query) ?? new Map()).set(document, Number(gain)));
  }
  return {
    name: basename(folder),
    docs: lines("docs.jsonl").map((line) => JSON.parse(line)),
    queries: lines("queries.jsonl").map((line) => JSON.parse(line)),
    gains,
  };
}

/** A collection's texts as a knowledge base has them, under new ids, and the collection's ids by these. */
export function textsOf({ docs }: Collection): { texts: Text[]; names: Map<string, string> } {
  const names = new Map<string, string>();
  const texts = docs
    .filter(({ title, text }) => `${title}${text}`.trim())
    .map(({ id, title, text }) => {
      const uuid = randomUUID();
      names.set(uuid, id);
      return { id: uuid, title: title.slice(0, 500).trim() || id, content: text || title };
    });
  return { texts, names };
}

/** nDCG: linear gains, discounted by log2(rank + 1), divided by the ideal ranking's. */
export function ndcg(ranked: string[], gains: Map<string, number>, depth = 10): number {
  const discount = (values: number[]) =>
    values.slice(0, depth).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
  const ideal = [...gains.values()].sort((a, b) => b - a);
  return discount(ranked.map((id) => gains.get(id) ?? 0)) / discount(ideal);
}

export function recall(ranked: string[], gains: Map<string, number>, depth = 20): number {
  return ranked.slice(0, depth).filter((id) => gains.has(id)).length / gains.size;
}
