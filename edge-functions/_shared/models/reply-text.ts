// Owns which words of a streamed reply are the reply: not a reasoning model's thoughts, and nothing that Postgres cannot store. Pure.
// Sources: docs.mistral.ai/capabilities/reasoning (content as a list of parts); Qwen's and DeepSeek's chat templates (<think>).

const marks = [
  ["<think>", "</think>"],
  ["[THINK]", "[/THINK]"],
] as const;
/** Characters that are held back while they may be thoughts. */
const mostHeld = 100_000;

/**
 * Models whose template writes the opening mark, so that some servers send the closing one alone. Sources: vllm-project/vllm#13125,
 * docs.vllm.ai (MiniMaxM2AppendThinkReasoningParser, Olmo3ReasoningParser).
 */
export const mayBeginWithThoughts = (model: string): boolean =>
  /(^|[^a-z])(r1|qwq|think(ing)?|minimax-m2)([^a-z]|$)/i.test(model);

/** True for a delta with thoughts in a field of their own, as most servers send them. */
export function thoughtsOf(delta: unknown): boolean {
  const { reasoning_content, reasoning } = Object(delta);
  return Boolean(reasoning_content || reasoning);
}

/** The words of a delta's `content`, which is a list of parts where a model thinks, as Mistral's do. */
export function wordsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => {
      const { type, text } = Object(part);
      return type === "text" && typeof text === "string" ? text : "";
    })
    .join("");
}

/** Leaves out a block of thoughts at the beginning, which servers without a parser for the model's format send as words of the reply. */
export class ThoughtFilter {
  #state: "begins" | "perhaps" | "thinks" | "pauses" | "replies" = "begins";
  #closing: string = marks[0][1];
  #held = "";
  #mayLackOpening: boolean;

  /** @param mayLackOpening whether the first words may be thoughts without an opening mark */
  constructor(mayLackOpening = false) {
    this.#mayLackOpening = mayLackOpening;
  }

  /** The server sends the model's thoughts apart: they are not among the words. */
  areApart(): void {
    this.#mayLackOpening = false;
  }

  /** The words of the reply in this piece; what may still become a mark is held back. */
  push(piece: string): string {
    if (this.#state === "replies") return piece;
    const known = this.#held.length;
    this.#held += piece;
    if (this.#state === "begins") {
      const start = this.#held.trimStart();
      const found = marks.find(([opening]) => start.startsWith(opening));
      if (found) {
        this.#state = "thinks";
        this.#closing = found[1];
        this.#held = start.slice(found[0].length);
      } else if (marks.some(([opening]) => opening.startsWith(start))) return "";
      else if (this.#mayLackOpening) this.#state = "perhaps";
      else return this.#release(this.#held);
    }
    if (this.#state === "thinks" || this.#state === "perhaps") {
      const from = this.#state === "perhaps" ? Math.max(0, known - this.#closing.length) : 0;
      const end = this.#held.indexOf(this.#closing, from);
      if (end < 0 && this.#state === "perhaps")
        return this.#held.length > mostHeld ? this.#release(this.#held) : "";
      if (end < 0) {
        this.#held = this.#held.slice(-this.#closing.length);
        return "";
      }
      this.#state = "pauses";
      this.#held = this.#held.slice(end + this.#closing.length);
    }
    // The empty lines between thoughts and reply.
    const reply = this.#state === "pauses" ? this.#held.trimStart() : "";
    return reply === "" ? "" : this.#release(reply);
  }

  /** What was held back at the end of the stream: a reply of whitespace, the beginning of a mark, or a reply without thoughts. */
  end(): string {
    return this.#state === "begins" || this.#state === "perhaps" ? this.#release(this.#held) : "";
  }

  #release(text: string): string {
    this.#state = "replies";
    this.#held = "";
    return text;
  }
}

/** Leaves out NUL, and half a pair of code units, which neither a text nor a JSON of Postgres can contain. */
export class StorableText {
  /** The first half of a pair, whose other half may be in the next piece. */
  #half = "";

  push(piece: string): string {
    const text = this.#half + piece;
    this.#half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? "";
    return text
      .slice(0, text.length - this.#half.length)
      .toWellFormed()
      .replaceAll("\0", "");
  }
}
