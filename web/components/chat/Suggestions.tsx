// What may have been meant by a question, as buttons that ask it in full.
import { useTranslation } from "#translations";

export function Suggestions({ questions, onAsk }: { questions: string[]; onAsk(question: string): void }) {
  const { t } = useTranslation("chat");
  return (
    <section aria-label={t("suggestions")} className="mt-4">
      <p className="text-muted text-sm">{t("suggestions")}</p>
      <ul className="mt-2 flex flex-wrap gap-2">
        {questions.map((question) => (
          <li key={question} className="min-w-0">
            <button
              type="button"
              dir="auto"
              onClick={() => onAsk(question)}
              className="rounded-md border border-line bg-raised px-3 py-1.5 text-left text-sm transition-colors [overflow-wrap:anywhere] hover:bg-hover"
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
