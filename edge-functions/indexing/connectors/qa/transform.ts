// A written answer to an item: the question as its heading, which every passage of it keeps. Pure.
import type { SourceItem } from "../connector.ts";
import { asContent, joined, titleOf } from "../markup.ts";

export interface EntryRow {
  id: string;
  question: string;
  answer: string;
  changedAt: string;
}

export function itemOf({ id, question, answer, changedAt }: EntryRow): SourceItem & { text: string } {
  const title = titleOf(question, "Question");
  return { externalId: id, title, changedAt, ...asContent(joined(`# ${title}`, answer)) };
}
