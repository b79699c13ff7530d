// A chat from outside: its channel, its feedback, and how far sources support each reply.
import { useTranslation } from "#translations";
import type { ChatMessage } from "#web/pages/chats/chat.ts";
import type { ChatDetails } from "#web/pages/chats/chat-details.ts";
import { citedSources } from "#web/pages/chats/cited-sources.ts";
import { Badge, type Tone } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { ScrollArea } from "#web/ui/ScrollArea.tsx";

export interface ChatReviewProps {
  details: ChatDetails;
  messages: ChatMessage[];
  agentName: string;
  agentHref: string;
  /** Scrolls to a reply in the chat. */
  onShow(messageId: string): void;
}

const tones: Record<string, Tone> = {
  answered: "good",
  partly: "careful",
  notFound: "careful",
  disagree: "bad",
  unchecked: "neutral",
};

export function ChatReview({ details, messages, agentName, agentHref, onShow }: ChatReviewProps) {
  const { t } = useTranslation("chats");
  const { feedback, summary, channel, createdAt, userId } = details;
  const replies = messages.flatMap((message, at) => {
    const question = messages.slice(0, at).findLast(({ role }) => role === "user");
    return message.role === "assistant" ? [{ message, question: question?.content ?? "" }] : [];
  });
  const facts = [
    [
      t("agent"),
      <a key="agent" href={agentHref} className="text-accent-ink hover:underline">
        {agentName}
      </a>,
    ],
    [t("where"), t(`channel.${channel}`)],
    [t("review.who"), t(userId ? "review.member" : "review.visitor")],
    [t("begun"), <DateTime key="begun" value={createdAt} />],
    [t("feedback"), feedback ? t(feedback.rating === "up" ? "good" : "bad") : t("review.none")],
  ] as const;
  return (
    <section aria-label={t("review.title")} className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-12 items-center border-line border-b px-4 py-1.5">
        <h2 className="font-medium">{t("review.title")}</h2>
      </div>
      <ScrollArea
        tabIndex={0}
        role="region"
        aria-label={t("review.title")}
        className="min-h-0 flex-1 px-4 py-3 text-sm"
      >
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
          {facts.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
        {feedback?.comment && (
          <blockquote dir="auto" className="mt-2 border-line border-s-2 ps-3 [overflow-wrap:anywhere]">
            {feedback.comment}
          </blockquote>
        )}
        {summary && (
          <>
            <h3 className="mt-5 mb-1 font-medium">{t("review.summary")}</h3>
            <p dir="auto" className="whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
              {summary}
            </p>
          </>
        )}
        {replies.length > 0 && (
          <>
            <h3 className="mt-5 mb-1 font-medium">{t("review.replies")}</h3>
            <ol className="-mx-2">
              {replies.map(({ message, question }) => (
                <li key={message.id}>
                  <Button
                    variant="bare"
                    type="button"
                    onClick={() => onShow(message.id)}
                    className="w-full rounded-md px-2 py-2 text-left hover:bg-hover"
                  >
                    <span dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]">
                      {question}
                    </span>
                    <span className="mt-1 flex flex-wrap items-center gap-1.5 text-muted text-xs">
                      {message.support && (
                        <Badge tone={tones[message.support.state]}>
                          {t(`support.${message.support.state}`)}
                        </Badge>
                      )}
                      {message.undelivered && <Badge tone="bad">{t("undelivered")}</Badge>}
                      {message.feedback && (
                        <Badge tone={message.feedback.rating === "up" ? "good" : "bad"}>
                          {t(message.feedback.rating === "up" ? "good" : "bad")}
                        </Badge>
                      )}
                      {t("review.sources", { count: citedSources(message.citations).length })}
                    </span>
                    {message.feedback?.comment && (
                      <span dir="auto" className="mt-1 block text-muted [overflow-wrap:anywhere]">
                        {message.feedback.comment}
                      </span>
                    )}
                  </Button>
                </li>
              ))}
            </ol>
          </>
        )}
      </ScrollArea>
    </section>
  );
}
