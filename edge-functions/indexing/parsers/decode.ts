// Decodes text files: by byte-order mark, as UTF-8, UTF-16 or the declared encoding, otherwise by the likeliest one.
import { analyse } from "chardet";
import { sentenceOf } from "../../_shared/text/sentences.ts";

export interface Decoded {
  text: string;
  encoding: string;
  /** Names the encoding that was assumed when nothing in the bytes stated or proved one. */
  warning?: string;
}

/** Enough to detect an encoding; detection time grows with the length. */
const sampleBytes = 65_536;

/**
 * Decodes text bytes. `declared` is an encoding label found in the content (HTML's meta), used only if the bytes are not valid
 * UTF-8. Never throws: windows-1252 has a character for every byte.
 */
export function decodeText(bytes: Uint8Array, declared?: string): Decoded {
  const marked = byteOrderMark(bytes) ?? unmarkedUtf16(bytes);
  if (marked) return { text: new TextDecoder(marked).decode(bytes), encoding: marked };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    const named = declared ? decoderFor(declared) : undefined;
    if (named) return { text: decodeWith(named, bytes), encoding: named.encoding };
    const { text, encoding } = guessEncoding(bytes);
    return { text, encoding, warning: sentenceOf("encodingGuessed", { encoding }) };
  }
}

/** The text of bytes in UTF-16, with a mark or without; undefined for others. */
export function utf16Text(bytes: Uint8Array): string | undefined {
  const encoding = byteOrderMark(bytes) ?? unmarkedUtf16(bytes);
  return encoding?.startsWith("utf-16") ? new TextDecoder(encoding).decode(bytes) : undefined;
}

/** True when bytes look like text in some encoding: hardly any control characters, though a few do occur. */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (byteOrderMark(bytes) ?? unmarkedUtf16(bytes)) return true;
  const sample = bytes.subarray(0, sampleBytes);
  let controls = 0;
  for (const byte of sample) {
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b)
      controls++;
  }
  return controls <= sample.length / 100;
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/**
 * Detects UTF-16 without a mark. Its spaces, digits and line ends contain a NUL, which no other text does. In the right byte order
 * it is nearly all letters and punctuation, in the wrong one it is not.
 */
function unmarkedUtf16(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  const sample = bytes.subarray(0, 4096);
  // Without a NUL it is not UTF-16. With a few, it may still be good UTF-8.
  if (!sample.includes(0) || strangeness(new TextDecoder().decode(sample)) < 0.05) return undefined;
  const little = strangeness(new TextDecoder("utf-16le").decode(sample));
  const big = strangeness(new TextDecoder("utf-16be").decode(sample));
  if (Math.min(little, big) > 0.02) return undefined;
  return little <= big ? "utf-16le" : "utf-16be";
}

/** The share of characters that ordinary text does not contain, plus a millionth for each block of 256 code points in use. */
function strangeness(text: string): number {
  const points = [...text];
  const odd = points.filter(
    (point) => !/[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\n\r\t]/u.test(point) || point === "\ufffd",
  );
  const rows = new Set(points.map((point) => (point.codePointAt(0) ?? 0) >> 8));
  return odd.length / points.length + rows.size / 1_000_000;
}

const western = "windows-1252";
/** The characters of windows-1252 from 0x80 to 0x9f, for which Node 20's decoder returns control characters. */
const westernSigns = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function decodeWith(decoder: TextDecoder, bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (decoder.encoding !== western) return text;
  return text.replace(/[\x80-\x9f]/g, (sign) => westernSigns[sign.charCodeAt(0) - 0x80] ?? sign);
}

/** A guess with less confidence, or a smaller lead over the western encodings, is ignored. */
const leastConfidence = 20;
const leastLead = 10;

/** The likeliest encoding that can hold the bytes at all; windows-1252 when none stands out. */
function guessEncoding(bytes: Uint8Array): { text: string; encoding: string } {
  // Labels mean what browsers take them for: ISO-8859-1 is windows-1252.
  const guesses = analyse(sampleOf(bytes)).flatMap(({ name, confidence }) => {
    const decoder = /^(?:ascii|utf-)/i.test(name) ? undefined : decoderFor(name, true);
    return decoder ? [{ decoder, confidence }] : [];
  });
  const lead = guesses.find(({ decoder }) => decoder.encoding === western)?.confidence ?? 0;
  for (const { decoder, confidence } of guesses) {
    if (decoder.encoding === western || confidence < Math.max(leastConfidence, lead + leastLead)) break;
    try {
      return { text: decodeWith(decoder, bytes), encoding: decoder.encoding };
    } catch {
      // The bytes are invalid in this encoding: tries the next likeliest.
    }
  }
  const text = decodeWith(new TextDecoder(western), bytes);
  const mac = new TextDecoder("macintosh").decode(bytes);
  const likeness = wordLikeness(text);
  return likeness < 0 && wordLikeness(mac) > 0
    ? { text: mac, encoding: "macintosh" }
    : { text, encoding: western };
}

/**
 * How many letters beyond ASCII fit into words, less what does not: a capital behind a small letter, a sign inside of a word. Excel on a Mac
 * may save its own encoding, which no detector knows.
 */
function wordLikeness(text: string): number {
  const at = Math.max(0, text.search(/\P{ASCII}/u) - 1);
  const sample = text.slice(at, at + sampleBytes);
  const fitting = sample.match(/(?<=\p{L})(?!\p{ASCII})\p{L}|(?!\p{ASCII})\p{L}(?=\p{Ll})/gu) ?? [];
  const odd =
    sample.match(
      /(?<=\p{Ll})[\p{Lu}ˆ‰˜¨´¸‹]|(?<=\p{L})(?![\p{ASCII}’])[^\p{L}\p{M}](?=\p{Ll})|[\x80-\x9f]/gu,
    ) ?? [];
  return fitting.length - 2 * odd.length;
}

/** Starts just before the first non-ASCII byte: earlier bytes do not distinguish encodings. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 256);
  return bytes.subarray(first, first + sampleBytes);
}

const decoders = new Map<string, TextDecoder>();

/** Decodes bytes in the encoding of that label; windows-1252 for an unknown one. */
export function decodeAs(label: string, bytes: Uint8Array): string {
  const decoder = decoders.get(label) ?? decoderFor(label);
  if (decoder) decoders.set(label, decoder);
  return decodeWith(decoder ?? new TextDecoder(western), bytes);
}

function decoderFor(label: string, fatal = false): TextDecoder | undefined {
  try {
    return new TextDecoder(label, { fatal });
  } catch {
    return undefined;
  }
}
