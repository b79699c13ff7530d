// Converts a written answer to an item: the question becomes its heading, which every passage of it includes. Pure.
import type { SourceItem } from "../connector.ts";
import { asContent, joinBlocks, titleOf } from "../markup.ts";

export interface EntryRow {
  id: string;
  question: string;
  answer: string;
  changedAt: string;
}

export function itemOf({ id, question, answer, changedAt }: EntryRow): SourceItem & { text: string } {
  const title = titleOf(question, "Question");
  return { externalId: id, title, changedAt, ...asContent(joinBlocks(`# ${title}`, answer)) };
}
