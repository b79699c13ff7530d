// A chat to an item: who said what, how it was judged, and nothing of who the visitor is. Pure.
import type { SourceItem } from "../connector.ts";
import { asContent, joined, titleOf } from "../markup.ts";

export interface ChatRow {
  id: string;
  title: string;
  summary: string | null;
  rating: "up" | "down" | null;
  comment: string | null;
  createdAt: string;
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
      joined(
        role === "user" ? "## Question" : `## Answer by ${agent}`,
        content,
        unanswered ? "(No passage of the knowledge fitted this question.)" : "",
        judged(rating, comment),
      ),
    );
  const content = joined(
    `# ${title}`,
    `Chat of ${chat.createdAt.slice(0, 10)}`,
    chat.summary ? `Summary: ${chat.summary}` : "",
    judged(chat.rating, chat.comment),
    ...turns,
  );
  return { externalId: chat.id, title, ...asContent(content) };
}

function judged(rating: "up" | "down" | null, comment: string | null): string {
  if (!rating) return "";
  const words = rating === "up" ? "The reader found this helpful." : "The reader did not find this helpful.";
  return comment ? `${words} They wrote: ${comment}` : words;
}
