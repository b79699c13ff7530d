// Owns whether a value in a test file is looked at: it reaches an expect(), a condition or a throw, directly or by names, loops and the
// functions that return it. Does not know what a value is, and runs nothing.
import type { DeclaredNames } from "./declared-names.ts";
import { childrenOf, functions, type Node, nameOf, namesIn, nodeAt, nodesIn } from "./syntax-tree.ts";

const conditions = /^(IfStatement|WhileStatement|DoWhileStatement|ThrowStatement|SwitchStatement)$/;
/** A part of these is part of their value. */
const passing =
  /^(Await|Member|Array|Object|Template|Binary|Logical|Conditional|Unary|New|Chain|Parenthesized|TS\w+?)(Expression|Literal)$|^(Property|SpreadElement|TemplateLiteral|TSNonNullExpression)$/;

export class CheckedResults {
  readonly #names: DeclaredNames;
  readonly #parents = new Map<Node, Node>();
  readonly #uses = new Map<string, Node[]>();

  constructor(root: Node, names: DeclaredNames) {
    this.#names = names;
    this.#index(root);
  }

  #index(node: Node): void {
    if (node.type === "Identifier")
      this.#uses.set(nameOf(node), [...(this.#uses.get(nameOf(node)) ?? []), node]);
    for (const child of childrenOf(node)) {
      this.#parents.set(child, node);
      this.#index(child);
    }
  }

  isChecked(value: Node, seen = new Set<Node>()): boolean {
    if (seen.has(value)) return false;
    seen.add(value);
    const parent = this.#parents.get(value);
    if (!parent) return false;
    if (conditions.test(parent.type)) return true;
    if (parent.type === "CallExpression") {
      if (isExpect(nodeAt(parent, "callee"))) return true;
      return this.isChecked(parent, seen);
    }
    if (parent.type === "VariableDeclarator") return this.#areUsesChecked(parent.id, seen);
    if (parent.type === "AssignmentExpression") return this.#areUsesChecked(parent.left, seen);
    if (parent.type === "ForOfStatement")
      return nodesIn(nodeAt(parent, "left")?.declarations).some((one) => this.#areUsesChecked(one.id, seen));
    if (parent.type === "ReturnStatement") return this.#isResultChecked(this.#functionAround(parent), seen);
    if (functions.test(parent.type)) return this.#isResultChecked(parent, seen);
    return passing.test(parent.type) && this.isChecked(parent, seen);
  }

  /** True when a name of a pattern is looked at anywhere. */
  #areUsesChecked(pattern: unknown, seen: Set<Node>): boolean {
    const ids = nodesIn(pattern).flatMap((one) => namesIn(one).map(([id]) => id));
    return ids.some((id) => {
      const declared = this.#names.declaration(id)?.id ?? id;
      return (this.#uses.get(nameOf(id)) ?? []).some(
        (use) => use !== id && this.#names.declaration(use)?.id === declared && this.isChecked(use, seen),
      );
    });
  }

  /** True for a callback whose call is looked at, and a function of which some call is. */
  #isResultChecked(called: Node | undefined, seen: Set<Node>): boolean {
    if (!called) return false;
    const name = called.type === "FunctionDeclaration" ? called.id : undefined;
    return name ? this.#areUsesChecked(name, seen) : this.isChecked(called, seen);
  }

  #functionAround(node: Node): Node | undefined {
    const parent = this.#parents.get(node);
    return !parent || functions.test(parent.type) ? parent : this.#functionAround(parent);
  }
}

/** `expect(…)`, `expect.poll(…)` and their like. */
function isExpect(callee: Node | undefined): boolean {
  if (callee?.type === "MemberExpression") return isExpect(nodeAt(callee, "object"));
  return nameOf(callee) === "expect";
}
