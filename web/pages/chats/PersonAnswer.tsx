// An answer by a team member, set apart from the model's replies by its author's name.
import { UserRound } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "#translations";
import { Markdown } from "../../ui/Markdown.tsx";

export interface PersonAnswerProps {
  content: string;
  name: string;
}

export const PersonAnswer = memo(function PersonAnswer({ content, name }: PersonAnswerProps) {
  const { t } = useTranslation("chat");
  return (
    <article
      aria-label={t("handover.answerBy", { name })}
      className="rounded-md border border-line bg-sunken px-4 py-3 leading-6"
    >
      <p className="mb-1.5 flex items-center gap-2 text-sm">
        <UserRound aria-hidden className="size-4 shrink-0 text-muted" />
        <span dir="auto" className="min-w-0 truncate font-medium">
          {name}
        </span>
        <span className="shrink-0 text-muted">{t("handover.ofTheTeam")}</span>
      </p>
      <Markdown text={content} />
    </article>
  );
});
