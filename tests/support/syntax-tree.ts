// Owns facts about a syntax tree that need no name resolution: a node's parts, names in a pattern, loops.
import { parseSync } from "vite";

export interface Node {
  type: string;
  [key: string]: unknown;
}

/** @param path only its ending is read: the text is TypeScript, or TSX */
export function parseTree(path: string, text: string) {
  const { program, comments, errors } = parseSync(path, text);
  // The parser has a type for every kind of node; one shape is enough here.
  return { program: program as unknown as Node, comments, errors };
}

const wrappers = /^(AwaitExpression|ParenthesizedExpression|TS(As|Satisfies|NonNull)\w*|ChainExpression)$/;
export const functions = /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/;
export const scopes =
  /^(Program|BlockStatement|For\w*Statement|ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/;

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
export const nodesIn = (value: unknown): Node[] =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
export const nodeAt = (node: Node, key: string): Node | undefined =>
  isNode(node[key]) ? node[key] : undefined;
export const childrenOf = (node: Node): Node[] => Object.values(node).flatMap(nodesIn);
export const nameOf = (node: Node | undefined): string =>
  node?.type === "Identifier" ? String(node.name) : "";
export const keyOf = (node: Node | undefined): string => nameOf(node) || String(node?.value ?? "");
export const isMember = (node: Node | undefined, name: string): boolean =>
  node?.type === "MemberExpression" && keyOf(nodeAt(node, "property")) === name;

export function bare(node: Node): Node {
  const inner = wrappers.test(node.type)
    ? (nodeAt(node, "argument") ?? nodeAt(node, "expression"))
    : undefined;
  return inner ? bare(inner) : node;
}

export type Loop = { list: Node; patterns: Node[]; body: Node; callback?: Node; isSpread: boolean };

/** A loop over a list: `for … of`, a callback of map and its like, `test.each`, which spreads an element over the names. */
export function loopOf(node: Node): Loop | undefined {
  if (node.type === "ForOfStatement") {
    const left = nodeAt(node, "left");
    const [list, body] = [nodeAt(node, "right"), nodeAt(node, "body")];
    const patterns = nodesIn(left?.declarations).flatMap((one) => nodesIn(one.id));
    return list && body && { list, patterns, body, isSpread: false };
  }
  const callback = node.type === "CallExpression" ? nodesIn(node.arguments).at(-1) : undefined;
  const callee = nodeAt(node, "callee");
  const body = callback && functions.test(callback.type) ? nodeAt(callback, "body") : undefined;
  if (!callback || !callee || !body) return undefined;
  const patterns = nodesIn(callback.params);
  if (
    callee.type === "MemberExpression" &&
    /^(map|flatMap|forEach|filter)$/.test(keyOf(nodeAt(callee, "property")))
  ) {
    const list = nodeAt(callee, "object");
    return list && { list, patterns: patterns.slice(0, 1), body, callback, isSpread: false };
  }
  const [list] = isMember(nodeAt(callee, "callee"), "each") ? nodesIn(callee.arguments) : [];
  return list && { list, patterns, body, callback, isSpread: true };
}

export function typeNameOf(pattern: Node): string | undefined {
  const annotation = nodeAt(pattern, "typeAnnotation");
  const reference = annotation && nodeAt(annotation, "typeAnnotation");
  return reference && nameOf(nodeAt(reference, "typeName"));
}

/** The names that a pattern declares, each with the path to it. */
export function namesIn(pattern: Node): [id: Node, picks: (string | number)[]][] {
  const inner = (node: unknown, ...way: (string | number)[]) =>
    isNode(node)
      ? namesIn(node).map(([id, picks]): [Node, (string | number)[]] => [id, [...way, ...picks]])
      : [];
  if (pattern.type === "Identifier") return [[pattern, []]];
  if (pattern.type === "AssignmentPattern") return inner(pattern.left);
  if (pattern.type === "ArrayPattern" && Array.isArray(pattern.elements)) {
    return pattern.elements.flatMap((element, place) => inner(element, place));
  }
  if (pattern.type === "ObjectPattern") {
    return nodesIn(pattern.properties).flatMap((one) => inner(one.value, keyOf(nodeAt(one, "key"))));
  }
  return [];
}

/** The values that a function may return. */
export function returnsOf(called: Node): Node[] {
  const body = nodeAt(called, "body");
  if (!body) return [];
  if (body.type !== "BlockStatement") return [body];
  const findReturned = (node: Node): Node[] =>
    functions.test(node.type)
      ? []
      : node.type === "ReturnStatement"
        ? nodesIn(node.argument)
        : childrenOf(node).flatMap(findReturned);
  return childrenOf(body).flatMap(findReturned);
}
