// Reads the subtitles of recordings (WebVTT, SubRip) as the transcript of who said what, with the time at which each paragraph begins.
import { decodeHTML } from "entities";
import { decodeText } from "./decode.ts";
import type { ParsedDocument, Parser, ParserInput } from "./document.ts";
import { oneLine, TextBuilder } from "./text-builder.ts";

export const transcript: Parser = {
  name: "transcript",
  label: "a transcript (VTT, SRT)",
  extensions: ["vtt", "srt"],
  contentTypes: ["text/vtt", "application/x-subrip"],
  parse: async (input) => parseTranscript(input),
};

interface Cue {
  from: number;
  to: number;
  /** "" for one that is not named. */
  speaker: string;
  text: string;
}

/** A paragraph: joining its words for each cue would copy them as often. */
interface Turn extends Cue {
  words: string[];
  length: number;
}

const time = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`;
const timing = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}`);
/** Blocks of WebVTT that say nothing. */
const aside = /^(?:WEBVTT|NOTE|STYLE|REGION)\b/;
/** "Ann Smith: words", as some programs write it. */
const named = /^([\p{Lu}][^\n:!?]{0,50}):\s+(?=\S)/u;
/** Seconds of silence after which a paragraph ends. */
const longPause = 4;
const longParagraph = 600;
/** Also without the end of a sentence, which automatic captions lack. */
const longestParagraph = 2000;

function parseTranscript({ bytes, name }: ParserInput): ParsedDocument {
  const decoded = decodeText(bytes);
  const out = new TextBuilder(name);
  out.warn(decoded.warning);
  const blocks = decoded.text.replace(/\r\n?/g, "\n").split(/\n[^\S\n]*\n+/);
  const cues = blocks.flatMap(cueOf);
  // What is named so but has no times is text.
  if (cues.every(({ from }) => from < 0)) {
    out.block(decoded.text);
    return out.finish();
  }
  let open: Turn | undefined;
  for (const cue of cues) {
    if (open && goesOn(open, cue)) {
      // Automatic captions show the line before once more.
      if (open.words.at(-1) !== cue.text) open.words.push(cue.text);
      open.length += cue.text.length;
      open.to = cue.to;
    } else {
      write(out, open);
      open = { ...cue, words: [cue.text], length: cue.text.length };
    }
  }
  write(out, open);
  return out.finish();
}

/** The words of a block with times; text before them is the cue's name. */
function cueOf(block: string): Cue[] {
  const lines = block
    .replace(/^\ufeff/, "")
    .replace(/^\n+/, "")
    .split("\n");
  const at = lines.findIndex((line, i) => i < 3 && timing.test(line));
  const times = at < 0 ? undefined : timing.exec(lines[at] ?? "");
  if (!times) {
    // A text with an empty line in the middle goes on behind it.
    const text = wordsOf(lines.join("\n"));
    return aside.test(block.trim()) || /^\d*$/.test(text) ? [] : [{ from: -1, to: -1, speaker: "", text }];
  }
  const [from, to] = [secondsOf(times.slice(1, 5)), secondsOf(times.slice(5, 9))];
  const source = lines.slice(at + 1).join("\n");
  const voice = /<v[^\s>]*\s+([^>]{1,100})>/.exec(source)?.[1] ?? "";
  const text = wordsOf(source);
  const said = voice ? undefined : named.exec(text);
  const speaker = oneLine(voice || (said?.[1] ?? ""));
  const words = said ? text.slice(said[0].length) : text;
  return words === "" ? [] : [{ from, to, speaker, text: words }];
}

const wordsOf = (source: string) =>
  oneLine(decodeHTML(source.replace(/<[^<>]{0,200}>/g, "").replace(/\{\\an?\d\}/g, "")));

const secondsOf = ([hours = "0", minutes = "0", seconds = "0"]: (string | undefined)[]) =>
  Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);

function goesOn(before: Turn, next: Cue): boolean {
  if (next.from < 0) return true;
  if (next.speaker !== "" && next.speaker !== before.speaker) return false;
  if (next.from - before.to > longPause) return false;
  const isComplete = /[.!?…]["”»)]?$/.test(before.words.at(-1)?.slice(-2) ?? "");
  return before.length < longParagraph || (before.length < longestParagraph && !isComplete);
}

function write(out: TextBuilder, turn: Turn | undefined): void {
  if (!turn) return;
  const start = turn.from < 0 ? "" : `[${clock(turn.from)}] `;
  out.block(`${start}${turn.speaker ? `${turn.speaker}: ` : ""}${turn.words.join(" ")}`);
}

function clock(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
