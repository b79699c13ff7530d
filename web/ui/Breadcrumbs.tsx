// The path of a page below its team. The last item is the page itself and not a link. A phone has room for it and its parent.
import { ChevronRight } from "lucide-react";
import { useTranslation } from "#translations";

export interface Crumb {
  label: string;
  href?: string;
}

/** Longer labels are names that people chose; shorter ones, like a list's title, are kept whole. */
const LONG = 18;

export function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  const { t } = useTranslation("app");
  return (
    <nav aria-label={t("breadcrumbs")} className="mb-3 text-sm">
      <ol className="flex min-w-0 items-center gap-1 text-muted">
        {crumbs.map(({ label, href }, index) => (
          // Links stay readable: first the page's own name is truncated, which its heading repeats, then other long names.
          <li
            key={href ?? label}
            className={`flex items-center gap-1 ${href ? `min-w-0 max-w-[9rem] lg:max-w-[16rem] ${label.length > LONG ? "shrink-[999]" : ""}` : "min-w-12 shrink-[999999]"} ${index < crumbs.length - 2 ? "max-sm:hidden" : ""}`}
          >
            {index > 0 && (
              <ChevronRight
                aria-hidden
                className={`size-3.5 shrink-0 text-faint ${index < crumbs.length - 1 ? "max-sm:hidden" : ""}`}
              />
            )}
            {href ? (
              <a href={href} className="-mx-1 truncate rounded-sm px-1 hover:bg-hover hover:text-ink">
                {label}
              </a>
            ) : (
              <span aria-current="page" className="truncate text-ink">
                {label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
