// One reply: its text with marks, its sources, and its actions.
import { FlaskConical, Telescope } from "lucide-react";
import { type MouseEvent, memo, useCallback, useMemo } from "react";
import { useTranslation } from "#translations";
import { reasonWords } from "../../client/failure-words.ts";
import { Button } from "../../ui/Button.tsx";
import { Markdown } from "../../ui/Markdown.tsx";
import type { ChatMessage, Citation, Rating } from "./chat.ts";
import { citedSources, renumberMarks, sourceOf } from "./cited-sources.ts";
import { Mark, markLook } from "./Mark.tsx";
import { ReplyActions } from "./ReplyActions.tsx";
import { Sources } from "./Sources.tsx";
import { Suggestions } from "./Suggestions.tsx";
import { markUnsupported, SupportNote, Unsupported } from "./Support.tsx";
import { useEvidence } from "./use-evidence.ts";

export interface ReplyProps {
  content: string;
  citations: Citation[];
  /** The stored reply; undefined while it is being written. */
  message?: ChatMessage;
  onRate?(messageId: string, rating: Rating | null, comment?: string): Promise<boolean>;
  /** Asks the same question again; only set on the last reply. */
  onRetry?(): Promise<void>;
  /** Asks a question that the reply suggests; only set on the last reply. */
  onAsk?(question: string): void;
  /** Whether the problem below the chat says why it failed. */
  isExplained?: boolean;
  /** Whether the reader may see the passages behind the reply. */
  explains?: boolean;
  /** Address for turning the reply into a test of its agent; absent for readers who may not. */
  testsAddress?: string;
}

export const Reply = memo(function Reply(props: ReplyProps) {
  const { content, citations, message, onRate, onRetry, onAsk, isExplained, explains, testsAddress } = props;
  const { t } = useTranslation("chat");
  const { shown, show } = useEvidence();
  const sources = useMemo(() => citedSources(citations), [citations]);
  // Until the citations arrive, marks are numbered by first appearance.
  const order = message || citations.length > 0 ? "" : indexesIn(content).join();
  const copyCode = useMemo(() => ({ copy: t("copyCode"), copied: t("copied") }), [t]);
  const mark = useCallback(
    (index: number, key: string) => {
      if (index === 0) return <Unsupported key={key} />;
      const source = sourceOf(sources, index);
      const citation = source?.citations.find((one) => one.index === index);
      if (message) {
        return source && citation ? (
          <Mark key={key} messageId={message.id} source={source} citation={citation} />
        ) : null;
      }
      const number = source?.number ?? order.split(",").indexOf(String(index)) + 1;
      return (
        <sup key={key} className="mx-0.5">
          <span className={`inline-block text-center ${markLook}`}>{number || index}</span>
        </sup>
      );
    },
    [sources, message, order],
  );
  const ended = message && message.status !== "streaming";
  const cause = message?.error && !isExplained ? reasonWords(message.error, t) : "";
  return (
    <article aria-label={t("reply")} className="leading-6">
      <Markdown text={markUnsupported(content, message?.support)} mark={mark} copyCode={copyCode} />
      {message?.status === "stopped" && <p className="mt-2 text-muted text-sm">{t("stopped")}</p>}
      {message?.status === "failed" && (
        <p className="mt-2 text-bad text-sm">
          {content !== "" && cause && `${t("cut")} `}
          {cause || t(content === "" ? "empty" : "broken")}
        </p>
      )}
      {message?.undelivered && (
        <p className="mt-2 text-bad text-sm">
          {t("undelivered")} {reasonWords(message.undelivered, t)}
        </p>
      )}
      {message?.usage?.fallback && (
        <p className="mt-2 text-muted text-sm">{t("fallback", { model: message.usage.model })}</p>
      )}
      {message?.support && <SupportNote support={message.support} citations={citations} />}
      {ended && onAsk && message.suggestions && message.suggestions.length > 0 && (
        <Suggestions questions={message.suggestions} onAsk={onAsk} />
      )}
      {sources.length > 0 && <Sources messageId={message?.id} sources={sources} />}
      {ended && (
        <ReplyActions
          messageId={message.id}
          content={renumberMarks(content, sources)}
          feedback={message.feedback}
          onRate={onRate && ((rating, comment) => onRate(message.id, rating, comment))}
          onRetry={onRetry}
        >
          {explains && (
            <Button
              type="button"
              variant="ghost"
              aria-haspopup="dialog"
              aria-expanded={shown?.messageId === message.id && shown.tab === "why"}
              onClick={({ currentTarget }: MouseEvent<HTMLButtonElement>) =>
                show({ messageId: message.id, tab: "why", index: null }, currentTarget)
              }
              icon={<Telescope aria-hidden className="size-3.5" />}
              className="aria-expanded:bg-hover aria-expanded:text-ink"
            >
              {t("why")}
            </Button>
          )}
          {testsAddress && (
            <form method="post" action={testsAddress}>
              <input type="hidden" name="form" value="reply" />
              <input type="hidden" name="messageId" value={message.id} />
              <Button variant="ghost" icon={<FlaskConical aria-hidden className="size-3.5" />}>
                {t("makeTest")}
              </Button>
            </form>
          )}
        </ReplyActions>
      )}
    </article>
  );
});

/** The marks in a text, by first appearance. */
const indexesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map(([, index = ""]) => index)),
];
