// Owns which words of a streamed reply are the reply: not a reasoning model's thoughts. Pure.
// Sources: docs.mistral.ai/capabilities/reasoning (content as a list of parts); Qwen's and DeepSeek's chat templates (<think>).

const opening = "<think>";
const closing = "</think>";

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
  #state: "begins" | "thinks" | "pauses" | "replies" = "begins";
  #held = "";

  /** The words of the reply in this piece; what may still become a mark is held back. */
  push(piece: string): string {
    if (this.#state === "replies") return piece;
    this.#held += piece;
    if (this.#state === "begins") {
      const start = this.#held.trimStart();
      if (start.startsWith(opening)) {
        this.#state = "thinks";
        this.#held = start.slice(opening.length);
      } else if (!opening.startsWith(start)) return this.#release(this.#held);
    }
    if (this.#state === "thinks") {
      const end = this.#held.indexOf(closing);
      if (end < 0) {
        this.#held = this.#held.slice(-closing.length);
        return "";
      }
      this.#state = "pauses";
      this.#held = this.#held.slice(end + closing.length);
    }
    // The empty lines between thoughts and reply.
    const reply = this.#state === "pauses" ? this.#held.trimStart() : "";
    return reply === "" ? "" : this.#release(reply);
  }

  /** What was held back at the end of the stream: a reply of whitespace, or the beginning of a mark. */
  end(): string {
    return this.#state === "begins" ? this.#release(this.#held) : "";
  }

  #release(text: string): string {
    this.#state = "replies";
    this.#held = "";
    return text;
  }
}
