// Converts a page's open comments to a separate document, because a comment does not change its page's last edit and is read without
// calls for the page's blocks. Pure. Source: developers.notion.com/reference/comment-object.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import type { SourceItem } from "../connector.ts";
import { asContent, joinBlocks, titleOf } from "../markup.ts";
import { addressOf } from "./files.ts";
import { richOf } from "./rich-text.ts";

const comment = z.object({
  created_time: z.string().nullish(),
  created_by: z.object({ name: z.string().nullish() }).nullish(),
  /** Set for a comment that a connection wrote on a person's behalf. */
  display_name: z.object({ resolved_name: z.string().nullish() }).nullish(),
  rich_text: z.array(z.unknown()),
});

export const commentsIdOf = (pageId: string) => `comments/${pageId.toLowerCase()}`;

/** The page id in the external id of comments, or undefined. */
export const pageOfComments = (externalId: string): string | undefined =>
  /^comments\/([0-9a-f-]{32,36})$/.exec(externalId)?.[1];

const cut = sentenceOf("notionCommentsCut");
const damaged = sentenceOf("notionCommentsForm");

/** Undefined when there are no comments. */
export function commentsItem(
  pageId: string,
  title: string,
  { results, isCut }: { results: unknown[]; isCut: boolean },
): (SourceItem & { text: string }) | undefined {
  const read = results.flatMap((raw) => comment.safeParse(raw).data ?? []);
  const said = read.flatMap(({ created_time, created_by, display_name, rich_text }) => {
    const text = richOf(rich_text).trim();
    const head = [display_name?.resolved_name ?? created_by?.name, created_time?.slice(0, 10)];
    const by = head.filter(Boolean).join(", ");
    return text === "" ? [] : [by ? `${by}:\n\n${text}` : text];
  });
  const isDamaged = read.length < results.length;
  if (said.length === 0 && !isDamaged) return undefined;
  const heading = titleOf(`Comments: ${title}`, "Comments");
  const note = isCut ? cut : isDamaged ? damaged : undefined;
  return {
    externalId: commentsIdOf(pageId),
    title: heading,
    url: `${addressOf(pageId)}#comments`,
    ...asContent(joinBlocks(`# ${heading}`, ...said)),
    ...(note ? { note } : {}),
  };
}
