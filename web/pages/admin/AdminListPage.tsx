// A page that lists one resource of every team: head, filters, rows and pages. Server only.
import type { DataTableProps } from "../../ui/DataTable.tsx";
import { AdminFilters, type AdminFiltersProps } from "./AdminFilters.tsx";
import { AdminHead } from "./AdminHead.tsx";
import { AdminTable, type AdminTableProps } from "./AdminTable.tsx";

export interface AdminListPageProps<Row> extends Omit<AdminFiltersProps, "rows"> {
  list: AdminTableProps<Row>["list"];
  rows: Row[];
  pages: AdminTableProps<Row>["pages"];
  columns: DataTableProps<Row>["columns"];
}

export function AdminListPage<Row extends { id: string }>({
  list,
  rows,
  pages,
  columns,
  ...filters
}: AdminListPageProps<Row>) {
  return (
    <>
      <AdminHead list={list} />
      <AdminFilters rows={rows} {...filters} />
      <AdminTable list={list} rows={rows} rowKey={({ id }) => id} pages={pages} columns={columns} />
    </>
  );
}
