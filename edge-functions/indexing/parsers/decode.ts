// Bytes of text files into strings: byte-order marks, UTF-8, UTF-16, and the legacy windows-1252.

export interface Decoded {
  text: string;
  encoding: string;
  /** True where nothing in the bytes said so and windows-1252 was assumed. */
  guessed: boolean;
}

/**
 * Decodes text bytes. `declared` is an encoding label found in the content (HTML's meta), used only where the
 * bytes are not valid UTF-8. Never throws: windows-1252 gives every byte a character.
 */
export function decodeText(bytes: Uint8Array, declared?: string): Decoded {
  const marked = byteOrderMark(bytes) ?? unmarkedUtf16(bytes);
  if (marked) return { text: new TextDecoder(marked).decode(bytes), encoding: marked, guessed: false };
  try {
    return {
      text: new TextDecoder("utf-8", { fatal: true }).decode(bytes),
      encoding: "utf-8",
      guessed: false,
    };
  } catch {
    const named = declared ? decoderFor(declared) : undefined;
    if (named) return { text: named.decode(bytes), encoding: named.encoding, guessed: false };
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "windows-1252", guessed: true };
  }
}

/** Whether bytes look like text in some encoding: hardly any control characters, though the odd one does occur. */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (byteOrderMark(bytes) ?? unmarkedUtf16(bytes)) return true;
  const sample = bytes.subarray(0, 65_536);
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

/** UTF-16 without a mark: mostly Latin text has a NUL in nearly every second byte, always on the same side. */
function unmarkedUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 4096);
  if (sample.length < 4 || bytes.length % 2 !== 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < sample.length; i++) {
    if (sample[i] !== 0) continue;
    if (i % 2 === 0) even++;
    else odd++;
  }
  const half = sample.length / 2;
  if (even === 0 && odd > half * 0.7) return "utf-16le";
  if (odd === 0 && even > half * 0.7) return "utf-16be";
  return undefined;
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
