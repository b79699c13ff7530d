// A list of the admin area: its rows, or that there are none, and the way to further pages. Server only.
import { SearchX } from "lucide-react";
import { useTranslation } from "#translations";
import { CursorPagination } from "../CursorPagination.tsx";
import { DataTable, type DataTableProps } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { Pagination } from "../Pagination.tsx";

type Pages = { page: number; perPage: number; total: number } | { lastKey: string | null };

export function AdminTable<Row>({ pages, ...table }: DataTableProps<Row> & { pages: Pages }) {
  const { t } = useTranslation("admin");
  return (
    <>
      {table.rows.length === 0 ? (
        <EmptyState icon={<SearchX />} title={t("none.title")}>
          {t("none.text")}
        </EmptyState>
      ) : (
        <DataTable {...table} />
      )}
      {"lastKey" in pages ? <CursorPagination lastKey={pages.lastKey} /> : <Pagination {...pages} />}
    </>
  );
}
