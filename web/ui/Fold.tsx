// A collapsible part of a page, with a short summary while it is closed. Works without JavaScript.
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

export interface FoldProps {
  /** For a link to it. */
  id?: string;
  title: ReactNode;
  /** A summary of the content: "gpt-4.1, temperature 0.2". */
  summary?: ReactNode;
  /** Open from the start, for example when something in it was refused. */
  open?: boolean;
  children: ReactNode;
}

export function Fold({ id, title, summary, open, children }: FoldProps) {
  return (
    <details id={id} open={open} className="group scroll-mt-16 border-line border-t">
      <summary className="-mx-2 flex flex-wrap items-center gap-x-2 gap-y-0.5 rounded-md px-2 py-4 hover:bg-sunken">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-faint transition-transform group-open:rotate-90"
        />
        <h2 className="max-w-[70%] shrink-0 font-medium text-lg">{title}</h2>
        {summary && (
          <span className="ml-auto line-clamp-2 min-w-0 pl-6 text-right [overflow-wrap:anywhere] text-muted text-sm group-open:hidden">
            {summary}
          </span>
        )}
      </summary>
      <div className="pt-1 pb-6 sm:pl-6">{children}</div>
    </details>
  );
}
