// Rows of a resource: a real table whose first column links to the row. Scrolls sideways on a narrow screen.
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { numberFormat } from "../client/per-language.ts";

export interface Column<Row> {
  key: string;
  header: ReactNode;
  /** A number is shown as the language writes it. */
  cell: (row: Row) => ReactNode;
  align?: "right";
  /** Address that sorts by this column, and its current direction, from useSort (sorting.ts). */
  sort?: { href: string; direction?: "asc" | "desc" };
  /** Secondary column: hidden while the table is narrower than on a wide screen. */
  minor?: boolean;
  /** Never cut off: a form, a button, or words that do not say the same in part. */
  isWhole?: boolean;
}

export interface DataTableProps<Row> {
  /** What the table lists; for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
}

const sorted = { asc: "ascending", desc: "descending" } as const;

export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  const { i18n } = useTranslation();
  const numbers = numberFormat(i18n.language);
  const formatCell = (cell: ReactNode) => (typeof cell === "number" ? numbers.format(cell) : cell);
  const room =
    "[&:not(:first-child)]:max-w-32 sm:[&:not(:first-child)]:max-w-40 xl:[&:not(:first-child)]:max-w-56 [&:not(:first-child)]:truncate";
  const place = ({ align, minor }: Column<Row>) =>
    `px-3 max-sm:[&:not(:first-child)]:pl-2 ${align === "right" ? "text-right tabular-nums" : "text-left"} ${minor ? "max-lg:hidden" : ""}`;
  return (
    <div data-list className="-mx-3 relative overflow-x-auto">
      <table className="w-full border-collapse text-base">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line border-b text-muted text-xs">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                data-minor={column.minor || undefined}
                aria-sort={column.sort?.direction && sorted[column.sort.direction]}
                className={`h-9 whitespace-nowrap font-medium ${place(column)}`}
              >
                {column.sort ? (
                  <SortLink {...column.sort} align={column.align}>
                    {column.header}
                  </SortLink>
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-line border-b transition-colors hover:bg-sunken">
              {columns.map((column) => (
                <td
                  key={column.key}
                  className={`py-2.5 first:w-full first:min-w-32 first:max-w-0 sm:first:min-w-48 ${column.isWhole ? "" : room} ${place(column)}`}
                >
                  {formatCell(column.cell(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const arrows = { asc: ArrowUp, desc: ArrowDown } as const;

/** The arrow is on the side away from the column's alignment, so the label stays above its cells. */
function SortLink({
  href,
  direction,
  align,
  children,
}: NonNullable<Column<unknown>["sort"]> & { align?: "right"; children: ReactNode }) {
  const Arrow = direction ? arrows[direction] : ChevronsUpDown;
  return (
    <a
      href={href}
      className={`inline-flex items-center gap-1 rounded-sm py-1.5 hover:text-ink ${align === "right" ? "flex-row-reverse" : ""} ${direction ? "text-ink" : ""}`}
    >
      {children}
      <Arrow aria-hidden className={`size-3.5 shrink-0 ${direction ? "" : "text-faint"}`} />
    </a>
  );
}
