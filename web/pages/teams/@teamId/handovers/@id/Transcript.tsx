// The messages of a handover's chat with their authors, oldest first.
import { Bot, UserRound } from "lucide-react";
import { useTranslation } from "#translations";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Markdown } from "#web/ui/Markdown.tsx";
import type { HandoverData } from "./+data.ts";

export function Transcript({ messages }: Pick<HandoverData, "messages">) {
  const { t } = useTranslation("handovers");
  if (messages.length === 0) return <p className="text-muted">{t("transcript.empty")}</p>;
  return (
    <ol className="space-y-5">
      {messages.map(({ id, role, content, author, createdAt }) => {
        const Icon = role === "assistant" && !author ? Bot : UserRound;
        const name = author?.name ?? t(role === "user" ? "transcript.person" : "transcript.agent");
        return (
          <li key={id} className="min-w-0">
            <p className="mb-1 flex items-center gap-2 text-sm">
              <Icon aria-hidden className="size-4 shrink-0 text-muted" />
              <span dir="auto" className="truncate font-medium">
                {name}
              </span>
              {author && <span className="shrink-0 text-muted">{t("transcript.ofTheTeam")}</span>}
              <span className="ml-auto shrink-0 text-muted">
                <DateTime value={createdAt} />
              </span>
            </p>
            <div className={`pl-6 ${role === "user" ? "" : "text-muted"}`}>
              {role === "user" ? (
                <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
                  {content}
                </p>
              ) : (
                <Markdown text={content} />
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
