// Writes a formula on one line, from the tags of MathML and of Office's math (ECMA-376, part 1, 22.1): "(a+b)/2", "x^2", "√(y)". Names
// are without prefixes. Streams, so that depth costs no stack.

interface Part {
  tag: string;
  text: string;
}

interface Node {
  tag: string;
  parts: Part[];
  /** The sign of an operator or the brackets, where the formula states them. */
  signs: Record<string, string>;
}

/** The elements whose own text is shown. */
const tokens = new Set(["t", "mi", "mn", "mo", "mtext", "ms"]);
/** A second form of the same formula, for programs. */
const repeated = new Set(["annotation", "annotation-xml"]);

export class MathText {
  readonly #open: Node[] = [{ tag: "", parts: [], signs: {} }];

  /** @param value the attribute `val` of Office's math, with any prefix */
  open(tag: string, value?: string): void {
    // The signs are the properties' children, two levels below the element that shows them.
    const owner = this.#open.at(-2);
    if (owner && (tag === "chr" || tag === "begChr" || tag === "endChr" || tag === "sepChr"))
      owner.signs[tag] = value ?? "";
    this.#open.push({ tag, parts: [], signs: {} });
  }

  text(text: string): void {
    const node = this.#open.at(-1);
    if (node && tokens.has(node.tag))
      node.parts.push({ tag: "", text: node.tag === "t" ? text : text.trim() });
  }

  close(): void {
    const node = this.#open.length > 1 ? this.#open.pop() : undefined;
    if (!node || repeated.has(node.tag) || node.tag.endsWith("Pr")) return;
    this.#open.at(-1)?.parts.push({ tag: node.tag, text: write(node) });
  }

  /** The formula so far, with what is still open. */
  finish(): string {
    while (this.#open.length > 1) this.close();
    return write(this.#open[0] ?? { tag: "", parts: [], signs: {} });
  }
}

function write({ tag, parts, signs }: Node): string {
  const [first = "", second = "", third = ""] = parts.map(({ text }) => text);
  const partOf = (name: string) => parts.find((part) => part.tag === name)?.text ?? "";
  const all = (between = "") => parts.map(({ text }) => text).join(between);
  switch (tag) {
    case "f":
    case "mfrac":
      return `${bracket(first)}/${bracket(second)}`;
    case "sSup":
    case "msup":
    case "mover":
      return first + raise(second);
    case "sSub":
    case "msub":
    case "munder":
      return first + lower(second);
    case "sSubSup":
    case "msubsup":
    case "munderover":
      return first + lower(second) + raise(third);
    case "nary":
      return `${signs.chr ?? "∫"}${lower(partOf("sub"))}${raise(partOf("sup"))} ${partOf("e")}`;
    case "rad":
      return root(partOf("e"), partOf("deg"));
    case "msqrt":
      return root(all(), "");
    case "mroot":
      return root(first, second);
    case "d":
      return `${signs.begChr ?? "("}${all(signs.sepChr ?? "|")}${signs.endChr ?? ")"}`;
    case "mfenced":
      return `(${all(", ")})`;
    case "mtr":
    case "mr":
      return all(", ");
    case "mtable":
    case "m":
    case "eqArr":
      return all("; ");
    case "func":
      return all(" ");
    default:
      return all();
  }
}

const raise = (text: string) => (text === "" ? "" : `^${bracket(text)}`);
const lower = (text: string) => (text === "" ? "" : `_${bracket(text)}`);
const root = (text: string, degree: string) => `${degree}√${bracket(text)}`;

/** Brackets around more than a name or a number. Longer texts are not looked at, since nested formulas repeat them at every level. */
const bracket = (text: string) =>
  text.length <= 20 && /^(?:\p{L}*|[\d.,]*|.)$/u.test(text) ? text : `(${text})`;
