// Owns the choice of the rules that a page's first paint needs from the built stylesheet. Reads selectors, not documents.
import postcss, { type ChildNode, type Container } from "postcss";

/** A piece of the stylesheet, and the at-rules around it. */
interface Piece {
  css: string;
  around: string[];
  /** Per selector, the classes (".name") and element names that a page needs to match it. */
  needs?: string[][];
  /** The custom property that an @property rule registers. */
  property?: string;
  /** The custom properties that it names. */
  properties: string[];
}

/** Elements of every document outside the HTML that is looked at. */
const ALWAYS = ["html", "body"];
/** Choices that are kept for the next page with the same elements and classes. */
const MOST_CHOSEN = 200;
const GROUPS = new Set(["layer", "media", "supports", "container"]);

/**
 * Reads a stylesheet once.
 * @returns a function from a page's HTML to the rules that its elements can match, whatever their attributes and states
 * become. Font files are left out: a repeated @font-face would show the fallback again for a moment.
 */
export function indexStyles(css: string): (html: string) => string {
  const pieces = piecesOf(postcss.parse(css), []);
  const chosen = new Map<string, string>();
  return (html) => {
    const said = shapesIn(html);
    const key = [...said].join("\n");
    const known = chosen.get(key);
    if (known !== undefined) return known;
    if (chosen.size >= MOST_CHOSEN) chosen.clear();
    const rules = choose(pieces, namesIn(said));
    chosen.set(key, rules);
    return rules;
  };
}

function choose(pieces: Piece[], names: Set<string>): string {
  const used = pieces.filter(
    ({ needs }) => needs?.some((all) => all.every((name) => names.has(name))) ?? true,
  );
  const properties = new Set(used.flatMap((piece) => (piece.property ? [] : piece.properties)));
  return join(used.filter(({ property }) => !property || properties.has(property)));
}

function piecesOf(parent: Container, around: string[]): Piece[] {
  return (parent.nodes ?? []).flatMap((node: ChildNode): Piece[] => {
    const css = node.toString();
    const piece: Piece = { css, around, properties: css.match(/--[\w-]+/g) ?? [] };
    if (node.type === "rule") return [{ ...piece, needs: node.selectors.map(needsOf) }];
    if (node.type !== "atrule") return [];
    const { name, params } = node;
    if (GROUPS.has(name) && node.nodes) {
      // Defaults for browsers without @property, which are not supported. The name alone keeps the layers in order.
      if (params === "properties") return [{ ...piece, css: "@layer properties;", properties: [] }];
      return piecesOf(node, [...around, `@${name} ${params}`]);
    }
    if (name === "font-face" && css.includes("url(")) return [];
    if (name === "property") return [{ ...piece, property: params }];
    return [node.nodes ? piece : { ...piece, css: `${css};` }];
  });
}

/** What must be on a page. Ids, attributes and arguments of pseudo-classes are not read: they can only narrow it. */
function needsOf(selector: string): string[] {
  let plain = "";
  let depth = 0;
  for (const [part] of selector.matchAll(/\\[0-9a-f]{1,6}\s?|\\.|"[^"]*"|./gis)) {
    if (part === ")" || part === "]") depth -= 1;
    if (part === "(" || part === "[") depth += 1;
    else if (depth === 0 && part !== ")" && part !== "]") plain += part;
  }
  const names = plain
    .replace(/(?<!\\)(?:::?|#)[\w-]+/g, "")
    .matchAll(/\.((?:\\[0-9a-f]{1,6}\s?|\\.|[^\s.>+~#*,:])+)|[a-z][\w-]*/gi);
  return [...names].map(([name, escaped]) => (escaped ? `.${unescapeName(escaped)}` : name));
}

const unescapeName = (name: string) =>
  name.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, code: string | undefined, character: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : character,
  );

const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&#x27;": "'",
  "&quot;": '"',
};

/** The elements ("<p") and class lists in HTML that React or document.ts wrote: attributes in double quotes, values escaped. */
const shapesIn = (html: string) =>
  new Set(
    [...html.matchAll(/(<[a-z][a-z0-9-]*)| class="([^"]*)"/g)].map(
      ([, element, list]) => element ?? list ?? "",
    ),
  );

/** The names of elements, and classes with a point. */
function namesIn(said: Set<string>): Set<string> {
  const names = new Set(ALWAYS);
  for (const one of said) {
    if (one.startsWith("<")) names.add(one.slice(1));
    else
      for (const name of one.replace(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity).split(/\s+/))
        names.add(`.${name}`);
  }
  return names;
}

/** Writes the pieces, opening each at-rule once for consecutive pieces in it. */
function join(pieces: Piece[]): string {
  let css = "";
  let open: string[] = [];
  const turnTo = (around: string[]) => {
    let shared = 0;
    while (shared < open.length && open[shared] === around[shared]) shared += 1;
    css += "}".repeat(open.length - shared);
    for (const one of around.slice(shared)) css += `${one}{`;
    open = around;
  };
  for (const piece of pieces) {
    turnTo(piece.around);
    css += piece.css;
  }
  turnTo([]);
  return css;
}
