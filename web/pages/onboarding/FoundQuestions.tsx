// Questions found in the documents, each with the agent's answer and its sources. For islands.
import { ArrowRight, FileText } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "#translations";
import { storeQuestion } from "../../client/pending-question.ts";
import { buttonLook } from "../../ui/looks.ts";
import { Markdown } from "../../ui/Markdown.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { citedSources, sourceOf } from "../chats/cited-sources.ts";
import { markLook } from "../chats/Mark.tsx";
import { usePlaceWords } from "../chats/use-place-words.ts";
import type { FirstSteps, FoundQuestion } from "./first-steps.ts";

export interface FoundQuestionsProps {
  agent: NonNullable<FirstSteps["agent"]>;
  questions: FoundQuestion[];
  isLooking: boolean;
  /** Address of a source, with {sourceId} as placeholder. */
  address: string;
}

export function FoundQuestions({ agent, questions, isLooking, address }: FoundQuestionsProps) {
  const { t } = useTranslation("onboarding");
  return (
    <section aria-labelledby="found-questions" className="mt-10">
      <h2 id="found-questions" className="font-medium text-lg">
        {t("questions.title")}
      </h2>
      <p className="text-muted text-sm" aria-live="polite">
        {t(isLooking ? "questions.looking" : questions.length > 0 ? "questions.found" : "questions.none")}
      </p>
      {isLooking && questions.length === 0 && <Skeleton className="mt-4 h-32" />}
      <ul className="mt-4 grid gap-4">
        {questions.map((one) => (
          <Found key={one.question} found={one} agentId={agent.id} address={address} />
        ))}
      </ul>
    </section>
  );
}

interface FoundProps {
  found: FoundQuestion;
  agentId: string;
  address: string;
}

function Found({ found: { question, answer, citations }, agentId, address }: FoundProps) {
  const { t } = useTranslation("onboarding");
  const placeOf = usePlaceWords();
  const sources = useMemo(() => citedSources(citations), [citations]);
  const mark = (index: number, key: string) => {
    const source = sourceOf(sources, index);
    return source ? (
      <sup key={key} className="mx-0.5">
        <span className={`inline-block text-center ${markLook}`}>{source.number}</span>
      </sup>
    ) : null;
  };
  return (
    <li className="rounded-md border border-line bg-raised p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 dir="auto" className="min-w-0 flex-1 basis-48 break-words font-medium">
          {question}
        </h3>
        <a
          href={`/chats/${agentId}`}
          aria-label={t("questions.askNamed", { question })}
          onClick={() => storeQuestion(agentId, question)}
          className={buttonLook({ size: "sm" })}
        >
          {t("questions.ask")}
          <ArrowRight aria-hidden className="size-3.5" />
        </a>
      </div>
      <div className="mt-2 leading-6">
        <Markdown text={answer} mark={mark} />
      </div>
      <ul className="mt-2 grid gap-1" aria-label={t("questions.sources")}>
        {sources.map((source) => {
          const [first] = source.citations;
          const place = placeOf(source);
          if (!first) return null;
          return (
            <li key={source.number} className="flex min-w-0 items-baseline gap-2 text-muted text-sm">
              <span className={`shrink-0 text-center ${markLook}`}>{source.number}</span>
              <FileText aria-hidden className="size-3.5 shrink-0 self-center" />
              <a
                href={`${address.replace("{sourceId}", first.sourceId)}/documents/${first.documentId}?${new URLSearchParams({ quote: first.quote })}`}
                className="min-w-0 truncate rounded-sm hover:underline"
              >
                {[source.title, place].filter(Boolean).join(" · ")}
              </a>
            </li>
          );
        })}
      </ul>
    </li>
  );
}
