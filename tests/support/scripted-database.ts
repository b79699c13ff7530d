// Stands in for edge-functions/_shared/database/db.ts in unit tests of decisions before and after a statement: it records each statement's
// values and returns prepared answers. What a statement does is for tests/sql.
import type { Claims } from "../../edge-functions/_shared/database/db.ts";

type Statement = { text: string; values: unknown[] };

/** The statements since reset(). */
export const statements: Statement[] = [];
/** The claims of each caller's transaction. */
export const callers: Claims[] = [];
/** The passages of each readOfPassages(). */
export const narrowings: string[][] = [];
let answers: (unknown[] | Error)[] = [];

export function reset(): void {
  statements.length = 0;
  callers.length = 0;
  narrowings.length = 0;
  answers = [];
}

/** Queues the rows, or the error, of the next statements; a statement without an answer returns no rows. */
export function answer(...next: (unknown[] | Error)[]): void {
  answers.push(...next);
}

class Sql implements PromiseLike<unknown[]> {
  constructor(
    private readonly strings: TemplateStringsArray,
    private readonly parts: unknown[],
  ) {}

  get values(): unknown[] {
    return this.parts.flatMap((part) => (part instanceof Sql ? part.values : [part]));
  }

  get text(): string {
    const parts = this.parts.map((part) => (part instanceof Sql ? part.text : "?"));
    return this.strings.map((text, at) => text + (parts[at] ?? "")).join("");
  }

  // biome-ignore lint/suspicious/noThenProperty: like postgres.js, a statement is sent when it is awaited.
  then<A, B>(
    resolve?: ((rows: unknown[]) => A | PromiseLike<A>) | null,
    reject?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B> {
    statements.push({ text: this.text.replace(/\s+/g, " ").trim(), values: this.values });
    const next = answers.shift() ?? [];
    const sent = next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    return sent.then(resolve, reject);
  }
}

const tx = Object.assign((strings: TemplateStringsArray, ...parts: unknown[]) => new Sql(strings, parts), {
  json: (value: unknown) => value,
});

export const asService = async (work: (sql: typeof tx) => unknown) => await work(tx);

export const asCaller = async (claims: Claims, work: (sql: typeof tx) => unknown) => {
  callers.push(claims);
  return await work(tx);
};
export const readAsCaller: typeof asCaller = (claims, work) => asCaller(claims, work);
export const readOfPassages = (claims: Claims, passages: string[], work: (sql: typeof tx) => unknown) => {
  narrowings.push(passages);
  return asCaller(claims, work);
};
