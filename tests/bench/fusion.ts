// Owns the fusion of a search's lists as public.search_chunks does it (sql/44_search.sql), repeated to try a third list, and the tried
// variants. Queries no database.
import { dot } from "./latent.ts";

export type Hit = { id: string; score: number };
export type Lists = { text: Hit[]; vector: Hit[]; concepts: Hit[]; pulled: Hit[]; today: string[] };
type Asked = Lists & { byHash: Nearness; byConcepts: Nearness };
export type Variant = {
  name: string;
  words: number;
  vectors: number;
  concepts: number;
  /** Pulled towards the two best by words, as the vectors are. */
  pulled: boolean;
  neighbours: "hash" | "concepts" | "none";
};

export const today: Variant = {
  name: "today",
  words: 1,
  vectors: 1,
  concepts: 0,
  pulled: false,
  neighbours: "hash",
};
const alone: Variant = { ...today, words: 0, vectors: 0, neighbours: "none" };
export const variants: Variant[] = [
  today,
  { ...today, name: "no neighbours", neighbours: "none" },
  { ...alone, name: "words alone", words: 1 },
  { ...alone, name: "vectors alone", vectors: 1 },
  { ...alone, name: "concepts alone", concepts: 1 },
  { ...alone, name: "concepts alone, pulled", concepts: 1, pulled: true },
  { ...today, name: "neighbours by concepts", neighbours: "concepts" },
  ...[0.25, 0.5, 1].flatMap((concepts): Variant[] => [
    { ...today, name: `third list ${concepts}, not pulled`, concepts },
    { ...today, name: `third list ${concepts}`, concepts, pulled: true },
    {
      ...today,
      name: `third list ${concepts}, neighbours by concepts`,
      concepts,
      pulled: true,
      neighbours: "concepts",
    },
    { ...today, name: `third list ${concepts} for neighbours`, concepts, pulled: true, neighbours: "none" },
    { ...today, name: `for vectors ${concepts}`, vectors: 0, concepts, pulled: true },
    {
      ...today,
      name: `for vectors ${concepts}, neighbours by concepts`,
      vectors: 0,
      concepts,
      pulled: true,
      neighbours: "concepts",
    },
    {
      ...today,
      name: `for vectors and neighbours ${concepts}`,
      vectors: 0,
      concepts,
      pulled: true,
      neighbours: "none",
    },
  ]),
];

/** Nearness of texts to one another without their common part; each pair is multiplied once a question. */
export class Nearness {
  readonly #places: Map<string, ArrayLike<number>>;
  readonly #products = new Map<string, Map<string, number>>();

  constructor(places: Map<string, ArrayLike<number>>) {
    this.#places = places;
  }

  centre(ids: string[]): number[][] {
    const products = ids.map((a) => ids.map((b) => this.#product(a, b)));
    const rows = products.map(mean);
    const all = mean(rows);
    const centred = products.map((row, i) =>
      row.map((value, j) => value - (rows[i] ?? 0) - (rows[j] ?? 0) + all),
    );
    const lengths = centred.map((row, i) => Math.sqrt(Math.max(row[i] ?? 0, 1e-12)));
    return centred.map((row, i) => row.map((value, j) => value / ((lengths[i] ?? 1) * (lengths[j] ?? 1))));
  }

  #product(a: string, b: string): number {
    const [first, second] = a < b ? [a, b] : [b, a];
    const known = this.#products.get(first) ?? new Map<string, number>();
    this.#products.set(first, known);
    const product = known.get(second) ?? dot(this.#places.get(first) ?? [], this.#places.get(second) ?? []);
    known.set(second, product);
    return product;
  }
}

/** The ids of the results, best first. */
export function fuse(asked: Asked, variant: Variant): string[] {
  const worth = new Map<string, number>();
  const first = new Map<string, number>();
  const add = (hits: Hit[], weight: number) => {
    const best = hits[0]?.score ?? 0;
    for (const [i, { id, score }] of hits.entries()) {
      if (weight > 0 && best > 0)
        worth.set(id, (worth.get(id) ?? 0) + (weight * (Math.max(score, 0) / best) * 61) / (61 + i));
      if (weight > 0) first.set(id, Math.min(first.get(id) ?? Infinity, i));
    }
  };
  add(asked.text, variant.words);
  add(asked.vector, variant.vectors);
  add(variant.pulled ? asked.pulled : asked.concepts, variant.concepts);
  const order = () =>
    [...worth].sort(
      ([a, x], [b, y]) => y - x || (first.get(a) ?? 0) - (first.get(b) ?? 0) || (a < b ? -1 : 1),
    );
  if (variant.neighbours !== "none" && worth.size > 60) {
    const best = order().slice(0, 30);
    const near = (variant.neighbours === "hash" ? asked.byHash : asked.byConcepts).centre(
      best.map(([id]) => id),
    );
    const smooth = best.map(([, own], i) => {
      const five = best
        .map(([, worth], j) => ({ near: j === i ? -2 : (near[i]?.[j] ?? 0), worth }))
        .sort((a, b) => b.near - a.near)
        .slice(0, 5)
        .filter((other) => other.near > 0);
      const sum = five.reduce((all, other) => all + other.near, 0);
      return (
        0.6 * own + 0.4 * (sum ? five.reduce((all, other) => all + other.near * other.worth, 0) / sum : own)
      );
    });
    const scale = (best[0]?.[1] ?? 1) / Math.max(...smooth);
    for (const [i, [id]] of best.entries()) worth.set(id, (smooth[i] ?? 0) * scale);
  }
  return order().map(([id]) => id);
}

export const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / (numbers.length || 1);
