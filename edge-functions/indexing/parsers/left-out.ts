// Says what a document holds beside the text that is read.
import { sentenceOf } from "../../_shared/text/sentences.ts";

export interface LeftOut {
  comments: number;
  /** Files inside it, such as a workbook of which it shows a picture. */
  embedded: number;
}

/** A sentence for each kind of which there is any. */
export function sayLeftOut({ comments, embedded }: LeftOut): string[] {
  return [
    ...(comments > 0 ? [sentenceOf("commentsLeftOut", { count: comments })] : []),
    ...(embedded > 0 ? [sentenceOf("embeddedUnread", { count: embedded })] : []),
  ];
}
