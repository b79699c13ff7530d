// Converts a chat to an item: who said what and how it was rated, without the visitor's identity. Pure.
import type { SourceItem } from "../connector.ts";
import { asContent, cutContent, joinBlocks, titleOf } from "../markup.ts";

export interface ChatRow {
  id: string;
  title: string;
  summary: string | null;
  rating: "up" | "down" | null;
  comment: string | null;
  createdAt: string;
  /** True when later messages were not read. */
  isCut: boolean;
  messages: {
    role: "user" | "assistant";
    content: string;
    rating: "up" | "down" | null;
    comment: string | null;
    unanswered: boolean;
  }[];
}

/** @param agent the agent's name */
export function itemOf(chat: ChatRow, agent: string): SourceItem & { text: string } {
  const first = chat.messages.find(({ role }) => role === "user")?.content ?? "";
  const title = titleOf(chat.title || first.slice(0, 120), "Chat");
  const turns = chat.messages
    .filter(({ content }) => content.trim() !== "")
    .map(({ role, content, rating, comment, unanswered }) =>
      joinBlocks(
        role === "user" ? "## Question" : `## Answer by ${agent}`,
        content,
        unanswered ? "(No passage of the knowledge fitted this question.)" : "",
        describeRating(rating, comment),
      ),
    );
  const content = joinBlocks(
    `# ${title}`,
    `Chat of ${chat.createdAt.slice(0, 10)}`,
    chat.summary ? `Summary: ${chat.summary}` : "",
    describeRating(chat.rating, chat.comment),
    ...turns,
  );
  return {
    externalId: chat.id,
    title,
    ...asContent(content),
    ...(chat.isCut ? { note: cutContent } : {}),
  };
}

function describeRating(rating: "up" | "down" | null, comment: string | null): string {
  if (!rating) return "";
  const words = rating === "up" ? "The reader found this helpful." : "The reader did not find this helpful.";
  return comment ? `${words} They wrote: ${comment}` : words;
}
