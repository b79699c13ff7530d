// Owns the parsing of the prompt that any model receives: its numbered passages, and the question after them. Does not answer.

import { outdatedAmong } from "../../../edge-functions/answering/editions.ts";
import { withoutMiddle } from "../../../edge-functions/answering/pasted-text.ts";
import { furtherResult } from "../../../edge-functions/answering/prompt.ts";
import type { Passage } from "./reading.ts";

const further = new RegExp(`^ ${furtherResult} · `);
const opening = /^<<<(\w+)\b[^\n]*>>>[ \t]*$/m;

/** The numbered passages of a fenced block. A line inside it that looks like a fence does not close it. */
export function passagesIn(prompt: string): Passage[] {
  const block = readFence(prompt);
  if (!block) return [];
  const marks = [...block.inside.matchAll(/^\[(\d{1,3})\]((?: .*)?)$/gm)];
  return marks.map((mark, i) => ({
    number: Number(mark[1]),
    label: (mark[2] ?? "").replace(further, " "),
    ...(further.test(mark[2] ?? "") && { isFurther: true as const }),
    text: block.inside.slice(mark.index + mark[0].length, marks[i + 1]?.index).trim(),
  }));
}

function readFence(prompt: string): { inside: string; after: string } | undefined {
  const open = opening.exec(prompt);
  if (!open) return undefined;
  const from = open.index + open[0].length;
  const close = `\n<<<end ${open[1]}>>>`;
  const to = prompt.indexOf(close, from);
  if (to < 0) return undefined;
  return { inside: prompt.slice(from, to), after: prompt.slice(to + close.length) };
}

export function questionIn(message: string): string {
  const rest = readFence(message)?.after ?? message;
  return withoutMiddle(rest.replace(/^\s*\S{2,20}\s?:\s*/u, "").trim());
}

/** The title of the passage's document: its label names the heading and the page behind it. */
export const titleOf = ({ label }: Passage) => label.split(" · ")[0]?.trim() ?? "";

/** Marks the passages of documents of which several editions are among the passages. */
export function markEditions(question: string, passages: Passage[]): void {
  const outdated = outdatedAmong(question, passages.map(titleOf));
  const current = new Set(outdated.values());
  for (const passage of passages) {
    if (outdated.has(titleOf(passage))) passage.edition = "earlier";
    else if (current.has(titleOf(passage))) passage.edition = "current";
  }
}
