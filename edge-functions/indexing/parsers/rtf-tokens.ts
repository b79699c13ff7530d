// Splits Rich Text Format (version 1.9.1) into its tokens, and decodes its bytes. Knows no meaning of a control word. Pure.
import { decodeAs } from "./decode.ts";

export type RtfToken =
  | { kind: "open" | "close" }
  /** Bytes of text in the code page of the current font. */
  | { kind: "bytes"; bytes: Uint8Array }
  /** A control word, or the sign of a control symbol. */
  | { kind: "control"; word: string; value: number | undefined }
  /** Binary data, left out. */
  | { kind: "binary" };

const brace = { open: 0x7b, close: 0x7d, backslash: 0x5c };
const isLetter = (byte = 0) => (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte = 0) => byte >= 0x30 && byte <= 0x39;
const isLineEnd = (byte = 0) => byte === 0x0a || byte === 0x0d || byte === 0;
/** Of a control word; the longest has 32. */
const longestWord = 40;

/** The tokens in order, in one pass over the bytes. Damage is text, or ends them. */
export function* tokensOf(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === brace.open || byte === brace.close) {
      at++;
      yield { kind: byte === brace.open ? "open" : "close" };
    } else if (byte !== brace.backslash) {
      const from = at;
      while (at < bytes.length && !isSpecial(bytes[at])) at++;
      if (at > from) yield { kind: "bytes", bytes: bytes.subarray(from, at) };
      while (isLineEnd(bytes[at]) && at < bytes.length) at++;
    } else if (isLetter(bytes[at + 1])) {
      const from = ++at;
      while (isLetter(bytes[at]) && at - from < longestWord) at++;
      const word = asciiOf(bytes, from, at);
      const digits = at;
      if (bytes[at] === 0x2d && isDigit(bytes[at + 1])) at++;
      while (isDigit(bytes[at]) && at - digits < 11) at++;
      const value = at > digits ? Number(asciiOf(bytes, digits, at)) : undefined;
      if (bytes[at] === 0x20) at++;
      if (word === "bin") {
        at += Math.max(0, value ?? 0);
        yield { kind: "binary" };
      } else yield { kind: "control", word, value };
    } else if (bytes[at + 1] === 0x27) {
      const code = Number.parseInt(String.fromCharCode(bytes[at + 2] ?? 0, bytes[at + 3] ?? 0), 16);
      at += 4;
      if (!Number.isNaN(code)) yield { kind: "bytes", bytes: Uint8Array.of(code) };
    } else {
      const sign = bytes[at + 1];
      at += 2;
      if (sign === undefined) return;
      // A line end behind a backslash ends a paragraph.
      yield { kind: "control", word: isLineEnd(sign) ? "par" : String.fromCharCode(sign), value: undefined };
    }
  }
}

function asciiOf(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}

const isSpecial = (byte = 0) =>
  byte === brace.open || byte === brace.close || byte === brace.backslash || isLineEnd(byte);

/** The code pages of fonts by their character sets (\fcharset). */
const ofCharsets: Record<number, number> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  255: 850,
};
/** Of fonts whose signs are no letters. */
const signsPage = -1;
export const codePageOf = (charset: number): number | undefined =>
  charset === 2 ? signsPage : ofCharsets[charset];

const labels: Record<number, string> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  1361: "euc-kr",
  10000: "macintosh",
  10007: "x-mac-cyrillic",
  20866: "koi8-r",
  21866: "koi8-u",
  54936: "gb18030",
  65001: "utf-8",
};
/** The upper half of DOS's code pages in western Europe, which no decoder has. Their letters are the same. */
const dos =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";

const ofSeveralBytes = new Set([932, 936, 949, 950, 1361, 54936, 65001]);
const tables = new Map<number, string[]>();
const mostTables = 40;

export function decodePage(bytes: Uint8Array, page: number): string {
  if (ofSeveralBytes.has(page)) return decodeAs(labels[page] ?? "", bytes);
  const table = tables.get(page) ?? tableOf(page);
  // A decoder takes as long for two bytes as this does for a hundred.
  if (tables.size < mostTables) tables.set(page, table);
  let text = "";
  for (const byte of bytes) text += table[byte];
  return text;
}

/** The character of each byte. */
function tableOf(page: number): string[] {
  const upper = (byte: number) => {
    if (page === signsPage) return "•";
    if (page === 437 || page === 850) return dos[byte - 0x80] ?? "";
    return decodeAs(labels[page] ?? `windows-${page}`, Uint8Array.of(byte));
  };
  return Array.from({ length: 256 }, (_, byte) => (byte < 0x80 ? String.fromCharCode(byte) : upper(byte)));
}
