// Possible meanings of a question, as buttons that ask it in full.
import { useTranslation } from "#translations";
import { Button } from "../../ui/Button.tsx";

export function Suggestions({ questions, onAsk }: { questions: string[]; onAsk(question: string): void }) {
  const { t } = useTranslation("chat");
  return (
    <section data-off-paper aria-label={t("suggestions")} className="mt-4 noscript:hidden">
      <p className="text-muted text-sm">{t("suggestions")}</p>
      <ul className="mt-2 flex flex-wrap gap-2">
        {questions.map((question) => (
          <li key={question} className="min-w-0">
            <Button variant="chip" type="button" dir="auto" onClick={() => onAsk(question)}>
              {question}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
