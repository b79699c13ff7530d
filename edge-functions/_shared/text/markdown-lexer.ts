// Owns reading Markdown that a model, a document or a client wrote, for what shows it: pages, mails, Slack. Pure.
import { Lexer, type MarkedOptions, type Token, type Tokens } from "marked";

/** Characters of one paragraph, cell or item. marked takes quadratic time for some: 1.2 s for 50,000 "!". */
const longestInline = 10_000;
/** A line with this many marks of quotes and lists nests as many blocks, which end in an overflow of the stack. */
const nested = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){100}/m;

const asText = (words: string): Tokens.Text => ({ type: "text", raw: words, text: words, escaped: false });

/** Leaves the marks in words that are too long. */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= longestInline) return super.inlineTokens(source, tokens);
    tokens.push(asText(source));
    return tokens;
  }
}

/** The tokens of a text; of one that is nested too deeply, a paragraph with all of its words. */
export function lexMarkdown(text: string, options: MarkedOptions = {}): Token[] {
  const plain: Tokens.Paragraph = { type: "paragraph", raw: text, text, tokens: [asText(text)] };
  if (nested.test(text)) return [plain];
  try {
    return new BoundedLexer({ gfm: true, ...options }).lex(text);
  } catch (error) {
    if (error instanceof RangeError) return [plain];
    throw error;
  }
}
