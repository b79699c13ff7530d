// The header of a page: breadcrumbs, its one main heading, a line about it, and its actions.
import type { ReactNode } from "react";
import { Breadcrumbs, type Crumb } from "./Breadcrumbs.tsx";

export interface PageHeaderProps {
  crumbs?: Crumb[];
  title: ReactNode;
  /** Rename form of the resource in the title, for those who may rename it. */
  rename?: ReactNode;
  /** Next to the title: a badge or a status. */
  mark?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** The page uses the whole width, where its layout leaves room at the right of forms. */
  isWide?: boolean;
}

export function PageHeader({ crumbs, title, rename, mark, children, actions, isWide }: PageHeaderProps) {
  return (
    <header data-wide={isWide || undefined} className="mb-6">
      {crumbs && <Breadcrumbs crumbs={crumbs} />}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 has-[[data-rename][open]]:flex-1">
          <div className="group/title flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
            <h1 className="min-w-0 break-words font-semibold text-xl group-has-[[data-rename][open]]/title:sr-only">
              {title}
            </h1>
            {rename}
            {mark}
          </div>
          {children && <p className="mt-0.5 max-w-2xl text-muted">{children}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
    </header>
  );
}
