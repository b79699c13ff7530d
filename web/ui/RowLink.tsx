// The first cell of most lists: a link to the row, with a line about it.
import type { ReactNode } from "react";

export interface RowLinkProps {
  /** Absent for a row without a page of its own. */
  href?: string;
  title: ReactNode;
  detail?: ReactNode;
  /** The detail is an error. */
  isBad?: boolean;
}

export function RowLink({ href, title, detail, isBad = false }: RowLinkProps) {
  const Tag = href === undefined ? "span" : "a";
  return (
    <Tag href={href} className="block min-w-0 rounded-sm">
      <span dir="auto" className="block truncate text-left font-medium">
        {title}
      </span>
      {detail && (
        <span dir="auto" className={`block truncate text-left text-sm ${isBad ? "text-bad" : "text-muted"}`}>
          {detail}
        </span>
      )}
    </Tag>
  );
}
