// Owns name resolution in a file: declarations, assignments, and functions called by name. Knows TypeScript's scopes; evaluates nothing.
import {
  bare,
  childrenOf,
  functions,
  type Node,
  nameOf,
  namesIn,
  nodeAt,
  nodesIn,
  scopes,
  typeNameOf,
} from "./syntax-tree.ts";

/** An expression and the arguments in scope. `picks` lead into it: a key, or an index of a list. */
export type Value = { node: Node; given: Given; picks?: (string | number)[] };
/** The values of parameters and loop variables, by the declaring node. */
export type Given = ReadonlyMap<Node, Value>;
export type Declared = { id: Node; values: Value[]; type: string | undefined };

export class DeclaredNames {
  readonly #parents = new Map<Node, Node>();
  readonly #scopes = new Map<Node, Map<string, Declared>>();
  readonly #called = new Set<Node>();

  constructor(root: Node) {
    this.#prepare(root);
    this.#assign(root);
  }

  /** True when a function is called by its name anywhere. */
  isCalled(one: Node): boolean {
    return this.#called.has(one);
  }

  #prepare(node: Node): void {
    if (scopes.test(node.type)) this.#scopes.set(node, new Map());
    for (const child of childrenOf(node)) {
      this.#parents.set(child, node);
      this.#prepare(child);
    }
    const init = nodeAt(node, "init");
    const id = nodeAt(node, "id");
    if (node.type === "VariableDeclarator" && id)
      this.#declare(id, node, init ? [{ node: init, given: new Map() }] : []);
    if (node.type === "FunctionDeclaration" && id) {
      this.#declare(id, this.#parents.get(node) ?? node, [{ node, given: new Map() }]);
    }
    if (functions.test(node.type)) for (const param of nodesIn(node.params)) this.#declare(param, node, []);
  }

  /** Declares the names of a pattern in the scope around a place, with their initial values. */
  #declare(pattern: Node, place: Node, values: Value[]): void {
    const scope = this.#scopeAround(place);
    for (const [id, picks] of namesIn(pattern)) {
      const type = /Identifier|TSTypeReference/.test(pattern.type) ? typeNameOf(pattern) : undefined;
      scope.set(nameOf(id), {
        id,
        type,
        values: values.map((value) => ({ ...value, picks: [...(value.picks ?? []), ...picks] })),
      });
    }
  }

  #scopeAround(node: Node): Map<string, Declared> {
    for (let at: Node | undefined = node; at; at = this.#parents.get(at)) {
      const scope = this.#scopes.get(at);
      if (scope) return scope;
    }
    throw new Error("A node outside of every scope");
  }

  /** Records later assignments, as in beforeAll, and functions called by name. */
  #assign(node: Node): void {
    const left = nodeAt(node, "left");
    const right = nodeAt(node, "right");
    if (node.type === "AssignmentExpression" && left && right) {
      for (const [id, picks] of namesIn(left)) {
        this.declaration(id)?.values.push({ node: right, given: new Map(), picks });
      }
    }
    if (node.type === "CallExpression") {
      const called = this.functionOf(nodeAt(node, "callee"));
      if (called) this.#called.add(called);
    }
    for (const child of childrenOf(node)) this.#assign(child);
  }

  /** The innermost declaration of a name, from where it is used. */
  declaration(identifier: Node): Declared | undefined {
    for (let at: Node | undefined = identifier; at; at = this.#parents.get(at)) {
      const declared = this.#scopes.get(at)?.get(nameOf(identifier));
      if (declared) return declared;
    }
    return undefined;
  }

  /** The function that a name refers to. */
  functionOf(callee: Node | undefined): Node | undefined {
    if (callee?.type !== "Identifier") return undefined;
    return this.declaration(callee)
      ?.values.map(({ node }) => bare(node))
      .find(({ type }) => functions.test(type));
  }
}
