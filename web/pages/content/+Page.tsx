// A content page that we wrote in Markdown, followed by links to its subpages.
import { ArrowLeft, ArrowRight } from "lucide-react";
import { useData } from "../../render/render-context.tsx";
import type { ContentData } from "./+data.ts";

export function Page() {
  const { html, pages, parent } = useData<ContentData>();
  return (
    <>
      {parent && (
        <a
          href={parent.href}
          className="mb-6 inline-flex items-center gap-1.5 text-muted text-sm hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-3.5" />
          {parent.title}
        </a>
      )}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the Markdown files are part of this repository */}
      <article className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      {pages.length > 0 && (
        <ul className="mt-8 divide-y divide-line border-line border-y">
          {pages.map(({ href, title, summary }) => (
            <li key={href} className="group relative flex items-center gap-4 py-4">
              <div className="min-w-0 flex-1">
                <h2 className="font-medium text-lg">
                  <a href={href} className="after:absolute after:inset-0 group-hover:underline">
                    {title}
                  </a>
                </h2>
                <p className="mt-0.5 text-muted">{summary}</p>
              </div>
              <ArrowRight aria-hidden className="size-4 shrink-0 text-faint" />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
