// Owns the API calls in a test file, read from its syntax: every `client.post(path)`, `client.call(method, path)` and fetch, with the
// values of path and method where they are literal; {} stands for a runtime value. Follows variables, helpers with their arguments, loops
// over lists and test.each. Runs nothing of the file.
import { CheckedResults } from "./checked-results.ts";
import { DeclaredNames, type Given, type Value } from "./declared-names.ts";
import {
  bare,
  childrenOf,
  functions,
  isMember,
  isNode,
  keyOf,
  loopOf,
  type Node,
  nameOf,
  namesIn,
  nodeAt,
  nodesIn,
  parseTree,
  returnsOf,
} from "./syntax-tree.ts";

/** A call; `isChecked` when the test looks at its answer. */
export type WrittenCall = { method: string; path: string; isChecked: boolean };

const UNKNOWN = "{}";
const deepest = 12;
const methods: Record<string, string> = {
  get: "GET",
  post: "POST",
  put: "PUT",
  delete: "DELETE",
  upload: "POST",
  putFile: "PUT",
};

/** The calls in a test file. @param text TypeScript */
export function writtenCalls(text: string): WrittenCall[] {
  const { program, errors } = parseTree("test.ts", text);
  if (errors.length > 0) throw new Error(`Not to be parsed: ${errors[0]?.message}`);
  return new Reading(program).calls();
}

class Reading {
  readonly #root: Node;
  readonly #names: DeclaredNames;
  readonly #checked: CheckedResults;
  readonly #found = new Map<string, WrittenCall>();

  constructor(root: Node) {
    this.#root = root;
    this.#names = new DeclaredNames(root);
    this.#checked = new CheckedResults(root, this.#names);
  }

  calls(): WrittenCall[] {
    this.#walk(this.#root, new Map(), 0);
    return [...this.#found.values()];
  }

  #walk(node: Node, given: Given, depth: number): void {
    if (depth > deepest) return;
    // A helper is read at its call, with its arguments.
    if (functions.test(node.type) && this.#names.isCalled(node)) return;
    if (node.type === "CallExpression") this.#note(node, given);
    const called =
      node.type === "CallExpression" ? this.#names.functionOf(nodeAt(node, "callee")) : undefined;
    if (called && isNode(called.body))
      this.#walk(called.body, this.#argumentsOf(called, node, given), depth + 1);
    for (const [inner, under] of this.visitChildren(node, given)) this.#walk(inner, under, depth);
  }

  /** Visits a node's children; a loop's body and a callback once per element of a literal list. */
  visitChildren(node: Node, given: Given): [Node, Given][] {
    const loop = loopOf(node);
    const elements = loop && this.#elements({ node: loop.list, given });
    if (!loop || !elements) return childrenOf(node).map((child) => [child, given]);
    const each = elements.map((element): [Node, Given] => {
      const under = new Map(given);
      for (const [place, pattern] of loop.patterns.entries()) {
        const inner = loop.isSpread && bare(element.node).type === "ArrayExpression" ? [place] : [];
        for (const [id, picks] of namesIn(pattern))
          under.set(id, { ...element, picks: [...inner, ...picks] });
      }
      return [loop.body, under];
    });
    const around = childrenOf(node).filter((child) => child !== (loop.callback ?? loop.body));
    return [...around.map((child): [Node, Given] => [child, given]), ...each];
  }

  #argumentsOf(called: Node, call: Node, given: Given): Given {
    const under = new Map(given);
    const values = nodesIn(call.arguments);
    for (const [place, param] of nodesIn(called.params).entries()) {
      const value = values[place] ?? nodeAt(param, "right");
      if (value) for (const [id, picks] of namesIn(param)) under.set(id, { node: value, given, picks });
    }
    return under;
  }

  #note(call: Node, given: Given): void {
    const callee = nodeAt(call, "callee");
    const [first, second] = nodesIn(call.arguments);
    if (!callee || !first) return;
    const keep = (methods: string[], paths: string[]) =>
      this.#keep(methods, paths, () => this.#checked.isChecked(call));
    const value = (node: Node, ...picks: string[]) => this.#texts({ node, given, picks }, 0);
    if (nameOf(callee) === "fetch") {
      const named = second ? value(second, "method").filter((method) => method !== UNKNOWN) : [];
      keep(named.length > 0 ? named : ["GET"], value(first));
    } else if (callee.type === "MemberExpression") {
      const property = nodeAt(callee, "property");
      const names = callee.computed && property ? value(property) : [nameOf(property)];
      if (names.includes("call") && second) keep(value(first), value(second));
      else
        keep(
          names.flatMap((name) => methods[name] ?? []),
          value(first),
        );
    }
  }

  #keep(named: string[], paths: string[], looked: () => boolean): void {
    for (const method of named.filter((name) => name !== UNKNOWN)) {
      for (const written of paths) {
        const path = /^(?:\{\})?\/v1(\/[^?#]*)/.exec(written)?.[1]?.replace(/(?<=[^/])\{\}$/, "");
        const name = `${method} ${path}`;
        if (!path || this.#found.get(name)?.isChecked) continue;
        this.#found.set(name, { method: method.toUpperCase(), path, isChecked: looked() });
      }
    }
  }

  /** The elements of a literal list, here or where its name is declared. */
  #elements({ node, given }: Value, depth = 0): Value[] | undefined {
    const list = bare(node);
    if (list.type === "ArrayExpression") {
      return nodesIn(list.elements).flatMap((element) =>
        element.type === "SpreadElement" && isNode(element.argument)
          ? (this.#elements({ node: element.argument, given }, depth + 1) ?? [])
          : [{ node: element, given }],
      );
    }
    if (list.type !== "Identifier" || depth > deepest) return undefined;
    const [value] = this.#valuesOf(list, given);
    return value && !value.picks?.length ? this.#elements(value, depth + 1) : undefined;
  }

  #valuesOf(identifier: Node, given: Given): Value[] {
    const declared = this.#names.declaration(identifier);
    const passed = declared && given.get(declared.id);
    return passed ? [passed] : (declared?.values ?? []).map((value) => ({ ...value, given }));
  }

  /** The possible texts of an expression, with {} for runtime values. */
  #texts({ node: wrapped, given, picks = [] }: Value, depth: number): string[] {
    if (depth > deepest) return [UNKNOWN];
    const node = bare(wrapped);
    const at = (inner: unknown, ...more: (string | number)[]): string[] =>
      isNode(inner) ? this.#texts({ node: inner, given, picks: [...more, ...picks] }, depth + 1) : [UNKNOWN];
    const [pick, ...rest] = picks;
    switch (node.type) {
      case "Identifier":
        if (pick === "path" && this.#isTeam(node, given, depth)) return ["/v1/teams/{}"];
        return orUnknown(
          this.#valuesOf(node, given).flatMap((value) =>
            this.#texts({ ...value, picks: [...(value.picks ?? []), ...picks] }, depth + 1),
          ),
        );
      case "MemberExpression":
        if (
          pick === undefined &&
          isMember(node, "path") &&
          this.#isTeam(nodeAt(node, "object"), given, depth)
        )
          return ["/v1/teams/{}"];
        return node.computed ? [UNKNOWN] : at(node.object, keyOf(nodeAt(node, "property")));
      case "ArrayExpression":
        return typeof pick === "number"
          ? this.#texts({ node: nodesIn(node.elements)[pick] ?? node, given, picks: rest }, depth + 1)
          : [UNKNOWN];
      case "ObjectExpression": {
        const property = nodesIn(node.properties).findLast((one) => keyOf(nodeAt(one, "key")) === pick);
        const value = property && nodeAt(property, "value");
        return value ? this.#texts({ node: value, given, picks: rest }, depth + 1) : [UNKNOWN];
      }
      case "CallExpression": {
        const called = this.#names.functionOf(nodeAt(node, "callee"));
        if (!called) return [UNKNOWN];
        const under = this.#argumentsOf(called, node, given);
        return orUnknown(
          returnsOf(called).flatMap((value) => this.#texts({ node: value, given: under, picks }, depth + 1)),
        );
      }
      case "ConditionalExpression":
        return [...at(node.consequent), ...at(node.alternate)];
      case "LogicalExpression": {
        const left = at(node.left);
        // Runtime values count as present.
        const isLeft = left.every((text) =>
          node.operator === "&&" ? text === "" : text !== "" && text !== UNKNOWN,
        );
        return isLeft ? left : node.operator === "&&" ? at(node.right) : [...left, ...at(node.right)];
      }
    }
    if (pick !== undefined) return [UNKNOWN];
    if (node.type === "Literal" && typeof node.value === "string") return [node.value];
    if (node.type === "BinaryExpression" && node.operator === "+")
      return joinAll([at(node.left), at(node.right)]);
    if (node.type !== "TemplateLiteral") return [UNKNOWN];
    const inner = nodesIn(node.expressions).map((one) => at(one));
    const around = nodesIn(node.quasis).map((one) => [String((one.value as { cooked?: unknown }).cooked)]);
    return joinAll(around.flatMap((text, place) => [text, ...(inner[place] ? [inner[place]] : [])]));
  }

  /** True for a team of tests/support/api.ts, whose path is known. */
  #isTeam(node: Node | undefined, given: Given, depth: number): boolean {
    if (!node || depth > deepest) return false;
    const inner = bare(node);
    if (isMember(inner, "team")) return true;
    if (inner.type === "CallExpression") return nameOf(nodeAt(inner, "callee")) === "newTeam";
    if (inner.type !== "Identifier") return false;
    if (this.#names.declaration(inner)?.type === "Team") return true;
    return this.#valuesOf(inner, given).some(({ node: value, given: under, picks = [] }) =>
      picks.length === 0
        ? this.#isTeam(value, under, depth + 1)
        : picks.at(-1) === "team" || isAllTeams(value),
    );
  }
}

/** `[team, other] = await Promise.all([newTeam(), newTeam()])`: every name is a call of newTeam when all are. */
function isAllTeams(value: Node): boolean {
  const call = bare(value);
  const [list] = call.type === "CallExpression" ? nodesIn(call.arguments) : [];
  const made = list?.type === "ArrayExpression" ? nodesIn(list.elements) : [];
  return made.length > 0 && made.every((one) => nameOf(nodeAt(bare(one), "callee")) === "newTeam");
}

const orUnknown = (texts: string[]): string[] => (texts.length > 0 ? texts : [UNKNOWN]);

/** Every concatenation of one text from each list. */
const joinAll = (parts: string[][]): string[] =>
  parts.reduce((texts, part) => texts.flatMap((text) => part.map((more) => text + more)), [""]);
