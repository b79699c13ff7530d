// Owns the blocks around a reply in Slack: its sources as links, and the buttons that rate it. Pure.
import { struckWords, withoutMarkup } from "../_shared/text/inline-markup.ts";
import type { Citation } from "../answering/citations.ts";
import type { Support } from "../answering/support.ts";
import { linkTo, toMrkdwn } from "./mrkdwn.ts";
import { partsOf } from "./splitting.ts";
import type { Words } from "./words.ts";

export type Block = Record<string, unknown>;
export const ratingAction = "rate_reply";
export const personAction = "ask_person";
/** Slack allows 3,000 characters per text. */
const longestText = 2_900;
const longestTitle = 150;
const longestQuote = 1_000;

/** "[1] Handbook · [2] Expenses", each a link if it has a URL. */
export function sourceBlocks(
  citations: Citation[],
  addressOf: (citation: Citation) => string,
  words: Words,
): Block[] {
  if (citations.length === 0) return [];
  const links = citations.map((citation) => {
    const title =
      citation.title.length > longestTitle ? `${citation.title.slice(0, longestTitle)}…` : citation.title;
    return linkTo(citation.url ?? addressOf(citation), `[${citation.index}] ${title}`);
  });
  const lines: string[] = [`*${words.sources}*`];
  for (const link of links) {
    const last = lines.at(-1) ?? "";
    if (last.length + link.length + 3 > longestText) lines.push(link);
    else
      lines[lines.length - 1] =
        lines.length === 1 && last === `*${words.sources}*` ? `${last}  ${link}` : `${last} · ${link}`;
  }
  // Slack allows ten texts per context block.
  return [{ type: "context", elements: lines.slice(0, 10).map((text) => ({ type: "mrkdwn", text })) }];
}

/** That the files of a message were left out. */
export const filesBlocks = (words: Words): Block[] => [
  { type: "context", elements: [{ type: "plain_text", text: words.filesUnread }] },
];

/** The rewritten query that a follow-up was searched with. */
export function searchBlocks(searchedFor: string | null, words: Words): Block[] {
  if (searchedFor === null) return [];
  const text =
    searchedFor.length > longestTitle
      ? `${searchedFor.slice(0, longestTitle).replace(/[\uD800-\uDBFF]$/, "")}…`
      : searchedFor;
  return [{ type: "context", elements: [{ type: "plain_text", text: `${words.searchedFor} ${text}` }] }];
}

/** A note on how far the documents support a reply, unless they support all of it. Quotes two that disagree, with their dates. */
export function supportBlocks(
  support: Pick<Support, "state" | "disagreement"> | null,
  citations: Pick<Citation, "index" | "title">[],
  words: Words,
): Block[] {
  const said =
    support?.state === "partly" || support?.state === "notFound" || support?.state === "disagree"
      ? words[support.state]
      : undefined;
  if (!support || !said) return [];
  const quotes = support.disagreement.map(({ citation, quote, date }) => {
    const title = citations.find(({ index }) => index === citation)?.title.slice(0, longestTitle) ?? "";
    const from = date ? fill(words.dated, { title, date }) : title;
    // As Slack itself writes struck words: quotes are plain text, since a document may hold its signs.
    const plain = withoutMarkup(quote).replace(struckWords, "~$1~");
    return fill(words.quoted, { quote: plain.slice(0, longestQuote), from });
  });
  return [{ type: "context", elements: [said, ...quotes].map((text) => ({ type: "plain_text", text })) }];
}

const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");

/** Slack's own feedback buttons; with `plain`, ordinary buttons for workspaces that do not support them. */
export function ratingBlocks(replyId: string, words: Words, plain = false): Block[] {
  const text = (label: string) => ({ type: "plain_text", text: label, emoji: true });
  if (plain) {
    const button = (rating: "up" | "down", label: string) => ({
      type: "button",
      action_id: `${ratingAction}_${rating}`,
      value: `${rating}:${replyId}`,
      text: text(label),
      accessibility_label: rating === "up" ? words.good : words.bad,
    });
    return [{ type: "actions", elements: [button("up", "👍"), button("down", "👎")] }];
  }
  const button = (rating: "up" | "down", label: string) => ({
    text: text(label),
    value: `${rating}:${replyId}`,
    accessibility_label: label,
  });
  return [
    {
      type: "context_actions",
      elements: [
        {
          type: "feedback_buttons",
          action_id: ratingAction,
          positive_button: button("up", words.good),
          negative_button: button("down", words.bad),
        },
      ],
    },
  ];
}

/** The button that asks for a person of the team. Slack asks for confirmation first. */
export function personBlocks(replyId: string, words: Words): Block[] {
  const text = (label: string) => ({ type: "plain_text", text: label });
  const button = {
    type: "button",
    action_id: personAction,
    value: replyId,
    text: text(words.askPerson),
    confirm: {
      title: text(words.askPerson),
      text: text(words.askPersonText),
      confirm: text(words.askPerson),
      deny: text(words.askPersonNo),
    },
  };
  return [{ type: "actions", elements: [button] }];
}

/** A reply's text as blocks, for a message that has other blocks too. */
export function textBlocks(markdown: string): Block[] {
  return partsOf(markdown, longestText, (part) => toMrkdwn(part).length)
    .map(toMrkdwn)
    .filter((text) => text !== "")
    .map((text) => ({ type: "section", text: { type: "mrkdwn", text } }));
}
