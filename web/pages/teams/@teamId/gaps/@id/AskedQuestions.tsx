// A gap's latest questions as asked, each with its chat and what was wrong with the reply.
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { chatHref } from "../../chats/chat-href.ts";
import type { OneGap } from "./+data.ts";

const tones = { answered: "good", open: "careful", waiting: "neutral" } as const;

export function AskedQuestions({ gap }: { gap: OneGap }) {
  const { t } = useTranslation("gaps");
  const request = useRequest();
  return (
    <ul className="divide-y divide-line border-line border-y">
      {gap.examples.map(
        ({ messageId, chatId, question, searchedFor, cause, comment, disagreement, askedAt, again }) => (
          <li key={messageId} className="py-3">
            <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
              <a
                href={chatHref(request, chatId)}
                className="min-w-0 flex-1 basis-72 break-words rounded-sm font-medium hover:underline"
                dir="auto"
              >
                {question}
              </a>
              <span className="flex flex-wrap items-center gap-2 text-muted text-sm">
                <Badge>{t(`cause.${cause}`)}</Badge>
                {again && <Badge tone={tones[again]}>{t(`again.${again}`)}</Badge>}
                <DateTime value={askedAt} />
              </span>
            </div>
            {searchedFor && (
              <p className="mt-1 text-muted text-sm [overflow-wrap:anywhere]" dir="auto">
                {t("passages:searchedFor", { question: searchedFor })}
              </p>
            )}
            {comment && (
              <p className="mt-1 break-words text-muted" dir="auto">
                {t("comment", { comment })}
              </p>
            )}
            {disagreement.map(({ title, quote }) => (
              <p key={`${title} ${quote}`} className="mt-1 break-words text-sm">
                <bdi>{t("quoted", { quote })}</bdi> <span className="text-muted">– {title}</span>
              </p>
            ))}
          </li>
        ),
      )}
    </ul>
  );
}
