// A section of a page with a heading; a subtle line separates it from the previous one. No box.
import type { ReactNode } from "react";

export interface SectionProps {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ title, description, actions, children }: SectionProps) {
  return (
    <section className="border-line border-t py-6 first-of-type:border-0 first-of-type:pt-0">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        {/* The actions wrap below when less than this width is left beside them. */}
        <div className="min-w-0 grow basis-56">
          <h2 className="font-medium text-lg">{title}</h2>
          {description && <p className="max-w-2xl text-muted">{description}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
