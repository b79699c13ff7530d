// One item of a Menu: a link with `href`, else the submit button of the form around it.
import type { ReactNode } from "react";

export interface MenuItemProps {
  href?: string;
  icon?: ReactNode;
  /** Marks the current one of several. */
  current?: boolean;
  children: ReactNode;
}

const look =
  "flex w-full items-center gap-2 rounded-sm px-2 py-1.5 text-left text-sm hover:bg-hover [&_svg]:size-4 [&_svg]:text-muted";

export function MenuItem({ href, icon, current, children }: MenuItemProps) {
  if (href !== undefined) {
    return (
      <a href={href} className={look} aria-current={current ? "true" : undefined}>
        {icon}
        {children}
      </a>
    );
  }
  return (
    <button type="submit" className={look}>
      {icon}
      {children}
    </button>
  );
}
