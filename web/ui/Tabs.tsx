// Pages of one resource, side by side. Each tab is a link with its own address.

export interface Tab {
  label: string;
  href: string;
  current?: boolean;
}

export function Tabs({ tabs, label }: { tabs: Tab[]; label: string }) {
  return (
    <nav aria-label={label} className="mb-6 border-line border-b">
      <ul className="-mb-px flex flex-wrap gap-x-5 gap-y-1">
        {tabs.map(({ label, href, current }) => (
          <li key={href} className="max-w-full">
            <a
              href={href}
              aria-current={current ? "page" : undefined}
              className="block truncate border-transparent border-b-2 pb-2 text-muted transition-colors hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
