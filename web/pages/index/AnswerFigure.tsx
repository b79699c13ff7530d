// An illustration of an answer: a question, the reply with its mark, and the passage that the mark opens.
import { FileText } from "lucide-react";

export interface AnswerFigureProps {
  caption: string;
  question: string;
  reply: string;
  source: string;
  quote: string;
}

export function AnswerFigure({ caption, question, reply, source, quote }: AnswerFigureProps) {
  return (
    <figure className="rounded-lg border border-line bg-sunken p-5 sm:p-8">
      <figcaption className="sr-only">{caption}</figcaption>
      <p className="ml-auto w-fit max-w-[85%] rounded-lg bg-pressed px-3.5 py-2">{question}</p>
      <p className="mt-5 leading-6">
        {reply}
        <sup className="mx-0.5">
          <span className="rounded-sm bg-accent-soft px-1.5 py-0.5 font-medium font-mono text-accent-ink text-xs">
            1
          </span>
        </sup>
      </p>
      <div className="mt-4 rounded-md border border-line bg-ground">
        <p className="flex items-center gap-2 border-line border-b px-3 py-2 text-sm">
          <span className="font-mono text-muted text-xs">1</span>
          <FileText aria-hidden className="size-3.5 text-faint" />
          {source}
        </p>
        <blockquote className="px-3 py-3 text-sm leading-6">
          <mark className="rounded-sm bg-accent-soft box-decoration-clone px-0.5 text-ink">{quote}</mark>
        </blockquote>
      </div>
    </figure>
  );
}
