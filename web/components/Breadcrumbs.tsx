// Where a page stands below its team. The last one is the page itself and no link.
import { ChevronRight } from "lucide-react";
import { useTranslation } from "#translations";

export interface Crumb {
  label: string;
  href?: string;
}

export function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  const { t } = useTranslation("app");
  return (
    <nav aria-label={t("breadcrumbs")} className="mb-3 text-sm">
      <ol className="flex min-w-0 items-center gap-1 text-muted">
        {crumbs.map(({ label, href }, index) => (
          // What leads back stays readable; the page's own name, which stands below as its heading, gives way.
          <li
            key={href ?? label}
            className={`flex min-w-0 items-center gap-1 ${href ? "max-w-[9rem] sm:max-w-[16rem]" : "shrink-[8]"}`}
          >
            {index > 0 && <ChevronRight aria-hidden className="size-3.5 shrink-0 text-faint" />}
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
