// Owns the filters of a REST request: reads them as PostgREST does, into lite's form. lite's own reader guesses a value's type, so that 1.50
// is 1.5 also as a text, keeps one of two filters with the same operator, and joins two `or` lists to one. Does not run a query.

/** Without a prototype, so that no name of a column is special. */
export type Where = Record<string, unknown>;
export const noFilter = (): Where => Object.create(null);

/** A filter that cannot be read; PostgREST answers PGRST100. */
export class UnreadableFilter extends Error {}

const operators: Record<string, string> = {
  eq: "$eq",
  neq: "$neq",
  gt: "$gt",
  gte: "$gte",
  lt: "$lt",
  lte: "$lte",
  like: "$like",
  ilike: "$ilike",
  match: "$regex",
  imatch: "$iregex",
  isdistinct: "$isDistinct",
  in: "$in",
  is: "$is",
  cs: "$contains",
  cd: "$containedBy",
  ov: "$overlaps",
  sl: "$rangeLt",
  sr: "$rangeGt",
  nxl: "$rangeGte",
  nxr: "$rangeLte",
  adj: "$rangeAdjacent",
};
const quantified = /^(?:eq|gte?|lte?|i?like|i?match)$/;
const textSearches: Record<string, string | undefined> = {
  fts: undefined,
  plfts: "plain",
  phfts: "phrase",
  wfts: "websearch",
};
/** lite's own signs for `is.not_null` and `is.unknown`. */
const isValues: Record<string, unknown> = {
  null: null,
  true: true,
  false: false,
  not_null: Symbol.for("postgrest:not_null"),
  unknown: Symbol.for("postgrest:unknown"),
};
const most = { levels: 50 };

/** True for a value that starts like a filter; in the call of a function, any other is an argument. */
export function isFilter(value: string): boolean {
  const [, name = ""] = /^(?:not\.)?([a-z]+)(?:\([^)]*\))?\./.exec(value) ?? [];
  return Object.hasOwn(operators, name) || Object.hasOwn(textSearches, name);
}

/** Adds a query's name and value to conditions that all must hold. */
export function addFilter(where: Where, name: string, value: string): void {
  const logic = /^(not\.)?(and|or)$/.exec(name);
  if (logic) {
    const group = new Reader(value).wholeGroup(`$${logic[2]}`);
    put(where, logic[1] ? { $not: group } : group);
    return;
  }
  const column = unquote(name);
  if (/^(?:\$|$)/.test(column)) throw new UnreadableFilter(`failed to parse filter (${name})`);
  put(where, { [column]: new Reader(value).wholeOperation() });
}

/** Two conditions with the same key and operator would overwrite one another. */
function put(where: Where, condition: Where): void {
  for (const [key, value] of Object.entries(condition)) {
    const before = Object.hasOwn(where, key) ? where[key] : undefined;
    if (before === undefined) where[key] = value;
    else if (
      !key.startsWith("$") &&
      isWhere(before) &&
      isWhere(value) &&
      !Object.keys(value).some((one) => one in before)
    )
      where[key] = { ...before, ...value };
    else where.$and = [...(Array.isArray(where.$and) ? where.$and : []), { [key]: value }];
  }
}

const isWhere = (value: unknown): value is Where =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const unquote = (name: string): string =>
  /^".*"$/s.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name;

/** Reads one value of the query from its start to its end. */
class Reader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** `(a.eq.1,or(b.is.null,not.and(…)))` */
  wholeGroup(kind: string): Where {
    const group = this.#group(kind, 0);
    if (this.#at < this.#text.length) this.#fail("logic tree");
    return group;
  }

  /** `not.eq.x` */
  wholeOperation(): Where {
    const operation = this.#operation(false);
    if (this.#at < this.#text.length) this.#fail("filter");
    return operation;
  }

  /** To the end of the text or, in a group, to the next comma or bracket. */
  #operation(inGroup: boolean): Where {
    const isNot = this.#take(/not\./y) !== undefined;
    const [, name = "", between] = this.#match(/([a-z]+)(?:\(([^)]*)\))?\./y) ?? this.#fail("filter");
    const operation = this.#operator(name, between, inGroup);
    if (!isNot) return operation;
    if ("$in" in operation) return { $notIn: operation.$in };
    return "$is" in operation ? { $isNot: operation.$is } : { $not: operation };
  }

  #operator(name: string, between: string | undefined, inGroup: boolean): Where {
    if (Object.hasOwn(textSearches, name)) {
      if (between !== undefined && !/^\w+(?:\.\w+)?$/.test(between)) this.#fail("filter");
      const query = this.#value(inGroup);
      const type = textSearches[name];
      return { $textSearch: { query, ...(type && { type }), ...(between && { config: between }) } };
    }
    const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
    if (!operator) return this.#fail("filter");
    if (between !== undefined) {
      if (!quantified.test(name) || !/^(?:any|all)$/.test(between)) this.#fail("filter");
      const every = between === "any" ? "Any" : "All";
      return { [operator + every]: withWildcards(name, this.#value(inGroup)) };
    }
    if (name === "in") return { $in: this.#list() };
    const value = this.#value(inGroup);
    if (name !== "is") return { [operator]: withWildcards(name, value) };
    const word = value.toLowerCase();
    return Object.hasOwn(isValues, word) ? { $is: isValues[word] } : this.#fail("filter");
  }

  #group(kind: string, level: number): Where {
    if (level > most.levels || this.#take(/\(\s*/y) === undefined) this.#fail("logic tree");
    const members: Where[] = [];
    do members.push(this.#member(level));
    while (this.#take(/\s*,\s*/y) !== undefined);
    if (this.#take(/\s*\)/y) === undefined) this.#fail("logic tree");
    return { [kind]: members };
  }

  #member(level: number): Where {
    const [logic, not, kind] = this.#match(/(not\.)?(and|or)(?=\()/y) ?? [];
    if (logic) {
      const group = this.#group(`$${kind}`, level + 1);
      return not ? { $not: group } : group;
    }
    const column = unquote(this.#take(/"(?:[^"]|"")*"|[^.,()"]+/y) ?? this.#fail("logic tree"));
    if (/^(?:\$|$)/.test(column) || this.#take(/\./y) === undefined) this.#fail("logic tree");
    return { [column]: this.#operation(true) };
  }

  #value(inGroup: boolean): string {
    if (!inGroup) return this.#take(/.*/sy) ?? "";
    const quoted = this.#takeQuoted();
    if (quoted !== undefined) return quoted;
    return this.#take(/\{(?:"(?:[^"\\]|\\.)*"|[^"}])*\}(?=[,)])/sy) ?? this.#take(/[^,)]*/y) ?? "";
  }

  #list(): string[] {
    if (this.#take(/\(/y) === undefined) this.#fail("filter");
    if (this.#take(/\)/y) !== undefined) return [];
    const values: string[] = [];
    do values.push(this.#takeQuoted() ?? this.#take(/[^,)]*/y) ?? "");
    while (this.#take(/,/y) !== undefined);
    if (this.#take(/\)/y) === undefined) this.#fail("filter");
    return values;
  }

  #takeQuoted(): string | undefined {
    return this.#match(/"((?:[^"\\]|\\.)*)"(?=[,)])/sy)?.[1]?.replace(/\\(.)/gs, "$1");
  }

  #take(pattern: RegExp): string | undefined {
    return this.#match(pattern)?.[0];
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #fail(what: string): never {
    throw new UnreadableFilter(
      `failed to parse ${what} (${this.#text.slice(0, 200)}), line 1, column ${this.#at + 1}`,
    );
  }
}

const withWildcards = (name: string, value: string): string =>
  /^i?like$/.test(name) ? value.replaceAll("*", "%") : value;
