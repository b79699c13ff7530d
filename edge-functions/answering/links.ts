// Owns which URLs in a reply a reader can follow: only those with origins named by the team or the asker, never by a document
// alone. Any other link is reduced to its words, and any other URL loses its scheme, so that it cannot be opened. Pure.

const event = /(?:https?|ftp|wss?):\/\/|www\./iy;
const authority = /[^\s/?#<>"'`)\]]{0,300}/y;
const restOfAddress = /[^\s<>"'`()\]]*/y;
/** The target of a link, an image or a definition: its beginning tells where it leads. */
const target = /\]([(:][ \t]*\n?[ \t]*)(<?[^\s)]{0,2000})/y;
/** A whole link or image, and nothing behind it that its words could join to a URL or a call: `a[0](x)` is code. */
const link =
  /!?\[(?:[^\][`~<>\\\n]|\n(?!\s)){1,300}(\]\()(<?[^\s()<>]*>?)(?:[ \t]+"[^"\n]{0,300}")?\)(?![\w/@(]|:\/|\.\S)/y;
const restOfLink = /\]\([^)\n]*(?:"[^"\n]*")?\)/y;
/** Words in brackets without a target behind them: a number in a sentence, an index in code. */
const closedWords = /\[[^\][`<>\\\n]{0,300}\](?!\()/y;
/** The beginning of what may become such a link. */
const begunLink =
  /!?(?:\[(?:(?:[^\][`~<>\\\n]|\n(?!\s)){1,300}(?:\](?:\((?:<?[^\s()<>]*>?(?:[ \t]+(?:"[^"\n]{0,300}"?)?)?(?:\)[.:]?)?)?)?)?)?)?$/y;
const startOfPlace = /<?[^\s<>"'`()[\]]*/y;
/** Text at the end of a piece that the next piece may turn into a URL. */
const begunEvent = /^(?:h(?:t(?:t(?:ps?(?::\/?)?)?)?)?|f(?:tp?(?::\/?)?)?|w(?:w{0,2}|ss?(?::\/?)?))$/i;
const begunTarget = /^\](?:[(:]\s*[^\s)]*)?$/;
const begunFence = /^ {0,3}(?:$|[`~][^\n]*$)/;
const openingFence = /^(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*$/;
const closingFence = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** Characters that other parsers than a browser's may read as a URL to another host. */
const hidden = /\\|&#?\w+;/;
/** Targets that stay on the page: a fragment, a name without a scheme, a plain email address. */
const harmlessTarget = /^(?:mailto:[\w.+-]+@[\w.-]+|(?![/\\]|[a-z][a-z0-9+.-]*:).*)$/i;
const foreignDefinition = /^(?:[/\\]{2}|\w*script:|data:|file:)/i;
/** Replaces a target, so that the following text does not become one. */
const nowhere = "#";
/** Maximum text held back while a URL is incomplete; a longer URL is untrusted. */
const longestHeld = 2_048;

/** The origins of the URLs in trusted texts. */
export function originsIn(texts: Iterable<string | null>): Set<string> {
  const origins = new Set<string>();
  for (const text of texts) {
    for (const [address] of (text ?? "").matchAll(/https?:\/\/[^\s<>"'`)\]]+/gi)) {
      const origin = originOf(address);
      if (origin) origins.add(origin);
    }
  }
  return origins;
}

/** Undefined unless the host is written plainly: entities, escapes and user names before an @ may hide another host. */
function originOf(address: string): string | undefined {
  const isPlain = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:[/?#]|$)/i.test(address);
  return isPlain && URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Disables all URLs in a complete text, except those of `origins`, and all images. */
export function withoutLinks(text: string, origins: ReadonlySet<string>): string {
  const filter = new LinkFilter(origins);
  return filter.push(text) + filter.end();
}

/**
 * Removes the scheme of every URL outside `origins`, and the marks or the target of every link and image to one, while a reply streams. Fenced
 * code keeps its URLs, since nothing makes links of them. The joined output of `push` and `end` does not depend on how the reply
 * was split.
 */
export class LinkFilter {
  private held = "";
  private previous = "\n";
  private fence = "";
  /**
   * Whether fences count as text from here on. A line that begins with a tag may open an HTML block, in which a fence does not count;
   * three marks that do not begin a line may open or close one in a list. Then it is unknown what the next fence does.
   */
  private ignoresFences = false;
  private isLineBlank = true;
  /** How often the last character was repeated. */
  private repeated = 0;
  private inAddress = false;
  /** True from the opening of a target to the end of its line: what stands there may be the target. */
  private mayBeTarget = false;
  /** True within the words of a link whose marks are removed. */
  private inWords = false;
  /** True from the opening of an image that may have a target to the end of its paragraph. */
  private mayBeImage = false;

  /** @param images the origins that images may load from: a program fetches them before anybody has read their address */
  constructor(
    private readonly origins: ReadonlySet<string>,
    private readonly images: ReadonlySet<string> = new Set(),
  ) {}

  /** @returns the text that can no longer change */
  push(text: string): string {
    return this.read(this.held + text, false);
  }

  /** @returns the rest */
  end(): string {
    return this.read(this.held, true);
  }

  private read(text: string, last: boolean): string {
    let out = "";
    let at = 0;
    while (at < text.length) {
      const step = this.step(text, at, last);
      if (!step) break;
      out += step.text;
      at += step.length;
      this.previous = step.text.at(-1) ?? this.previous;
    }
    this.held = text.slice(at);
    return out;
  }

  /** The next output and the length of its input; undefined when more input is needed. */
  private step(text: string, at: number, last: boolean): { text: string; length: number } | undefined {
    const open = !last && text.length - at < longestHeld;
    if (this.previous === "\n") {
      const end = text.indexOf("\n", at);
      const line = text.slice(at, end < 0 ? undefined : end);
      if (begunFence.test(line)) {
        if (open && end < 0) return undefined;
        // Too long to be held: it may go on in any way.
        if (!last && end < 0) this.ignoresFences = true;
        if (this.readFence(line)) return keep(upToNextLine(text, at));
      }
    }
    if (this.fence) return keep(upToNextLine(text, at));
    const step = this.stepInText(text, at, open);
    if (step) this.readOutput(step.text);
    return step;
  }

  /** Opens and closes fenced code by CommonMark's rules. @returns whether the line does either */
  private readFence(line: string): boolean {
    if (this.ignoresFences) {
      this.fence = "";
      return false;
    }
    if (this.fence) {
      if (!closingFence.exec(line)?.[1]?.startsWith(this.fence)) return false;
      this.fence = "";
    } else {
      this.fence = openingFence.exec(line)?.[1] ?? "";
      if (!this.fence) return false;
    }
    this.repeated = 0;
    this.isLineBlank = true;
    return true;
  }

  /** Looks for what makes a later fence doubtful, in the output: a removed target or scheme may join what stood around it. */
  private readOutput(text: string): void {
    let before = this.previous;
    if (/\][(:]/.test(this.previous + text)) this.mayBeTarget = true;
    for (const char of text) {
      if (char === "\n" && !this.isLineBlank) this.mayBeTarget = false;
      if (char === "\n" && this.isLineBlank) this.mayBeImage = false;
      this.repeated = char === before ? this.repeated + 1 : 1;
      before = char;
      if ((this.repeated === 3 && /[`~]/.test(char)) || (this.isLineBlank && char === "<"))
        this.ignoresFences = true;
      this.isLineBlank = char === "\n" || (this.isLineBlank && /\s/.test(char));
    }
  }

  private stepInText(text: string, at: number, open: boolean) {
    if (this.inAddress) {
      const more = matchAt(restOfAddress, text, at)?.[0] ?? "";
      if (at + more.length < text.length) this.inAddress = false;
      // For a renderer that makes no link of a plain URL.
      if (/!\[/.test(this.previous + more)) this.mayBeImage = true;
      if (more) return keep(more);
    }
    if (text[at] === "[" || text[at] === "!") {
      const step = this.stepImage(text, at, open) ?? this.stepWords(text, at, open);
      if (step === "held") return undefined;
      if (step !== "other") return step;
    }
    return text[at] === "]" ? this.stepTarget(text, at, open) : this.stepEvent(text, at, open);
  }

  /** Makes a link of an image that may not load from where a link may lead; notes any other image whose target is not known yet. */
  private stepImage(text: string, at: number, open: boolean) {
    const isMark = text[at] === "!";
    if (open && isMark && at + 1 === text.length) return "held";
    if (isMark ? text[at + 1] !== "[" : this.previous !== "!") return undefined;
    const words = isMark ? at + 1 : at;
    if (open && matchAt(begunLink, text, words)) return "held";
    const [, , place = ""] = matchAt(link, text, words) ?? [];
    const isLoaded = this.isTrusted(place, this.images);
    // Behind another mark the words would become an image again.
    if (isMark && this.isTrusted(place) && !isLoaded)
      return { text: this.previous === "!" ? " " : "", length: 1 };
    if (!isMark && !isLoaded && !matchAt(closedWords, text, at)) this.mayBeImage = true;
    return undefined;
  }

  /** Removes the opening mark of a link that leads to no trusted place; its words are read like any other text. */
  private stepWords(text: string, at: number, open: boolean) {
    if (this.mayBeTarget || /[\w:/.@\\!\]]/.test(this.previous)) return "other";
    if (open && matchAt(begunLink, text, at)) return undefined;
    const [, , place = ""] = matchAt(link, text, at) ?? [];
    const isRemoved = matchAt(link, text, at) && !this.isTrusted(place) && !/^<?mailto:/i.test(place);
    if (!isRemoved) return "other";
    this.inWords = true;
    return { text: "", length: text[at] === "!" ? 2 : 1 };
  }

  private isTrusted(place: string, origins = this.origins): boolean {
    const origin = originOf(bare(place));
    return origin !== undefined && origins.has(origin);
  }

  private stepTarget(text: string, at: number, open: boolean) {
    const rest = this.inWords && matchAt(restOfLink, text, at);
    this.inWords = false;
    if (rest) return { text: "", length: rest[0].length };
    if (open && begunTarget.test(text.slice(at))) return undefined;
    const found = matchAt(target, text, at);
    if (!found) return keep("]");
    const [whole, opening = "", place = ""] = found;
    // A fence for some renderers, the target of a definition for others.
    if (opening.includes("\n") && /^[`~]{3}/.test(place)) this.ignoresFences = true;
    const address = bare(place);
    const origin = originOf(address);
    const isDefinition = opening.startsWith(":");
    if (origin && this.origins.has(origin) && !this.images.has(origin) && (isDefinition || this.mayBeImage)) {
      // A definition may be an image's. Its address stays, as text.
      const length = 1 + opening.length + place.indexOf("//") + 2;
      return isDefinition
        ? { text: `]${opening}`, length }
        : { text: `]${opening}${nowhere}`, length: whole.length };
    }
    // What follows the URL's own characters may be another link.
    if (origin && this.origins.has(origin)) return keep(`]${opening}${matchAt(startOfPlace, place, 0)?.[0]}`);
    // "[1]: https://…" may be a link definition, but is more often text.
    const isHarmless = isDefinition
      ? !foreignDefinition.test(address)
      : !origin && harmlessTarget.test(address);
    // The URL itself is checked like any other text.
    if (isHarmless && !hidden.test(place)) return keep(`]${opening}`);
    return { text: `]${opening}${nowhere}`, length: whole.length };
  }

  private stepEvent(text: string, at: number, open: boolean) {
    if (open && text.length - at < 9 && begunEvent.test(text.slice(at))) return undefined;
    const scheme = matchAt(event, text, at)?.[0];
    if (scheme === undefined) return keep(text[at] ?? "");
    const host = matchAt(authority, text, at + scheme.length)?.[0] ?? "";
    if (open && at + scheme.length + host.length === text.length) return undefined;
    const origin = originOf(scheme + host);
    if (origin && this.origins.has(origin)) {
      this.inAddress = true;
      return keep(scheme + host);
    }
    // Keeps the parts around the removed scheme from joining.
    return { text: /[\w:/.\]]/.test(this.previous) ? " " : "", length: scheme.length };
  }
}

const bare = (place: string) => place.replace(/^<|>$/g, "");
const keep = (text: string) => ({ text, length: text.length });

function upToNextLine(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  return text.slice(at, end < 0 ? undefined : end + 1);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
