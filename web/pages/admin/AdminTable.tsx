// An admin list: its rows or an empty state, pagination, and the columns that most lists have. Server only.
import { Inbox, SearchX } from "lucide-react";
import { useTranslation } from "#translations";
import { useRequest } from "../../render/render-context.tsx";
import { Button } from "../../ui/Button.tsx";
import { CursorPagination } from "../../ui/CursorPagination.tsx";
import { type Column, DataTable, type DataTableProps } from "../../ui/DataTable.tsx";
import { DateCell } from "../../ui/DateCell.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Pagination } from "../../ui/Pagination.tsx";
import type { AdminList } from "./AdminHead.tsx";
import { TeamLink } from "./TeamLink.tsx";

type Pages = { page: number; perPage: number; total: number } | { lastKey: string | null };

export type AdminTableProps<Row> = Omit<DataTableProps<Row>, "caption"> & {
  list: Exclude<AdminList, "models" | "retention">;
  pages: Pages;
};

/** Query parameters that choose a page or an order: all others filter. */
const places = ["page", "perPage", "lastKey", "sort"];

export function AdminTable<Row>({ list, pages, ...table }: AdminTableProps<Row>) {
  const { t } = useTranslation("admin");
  const { searchParams, pathname } = useRequest().url;
  const isFiltered = [...searchParams].some(([name, value]) => value && !places.includes(name));
  return (
    <>
      {table.rows.length > 0 ? (
        <DataTable {...table} caption={t(`lists.${list}`)} />
      ) : isFiltered ? (
        <EmptyState
          icon={<SearchX />}
          title={t("none.title")}
          action={<Button href={pathname}>{t("app:filter.clear")}</Button>}
        />
      ) : (
        <EmptyState icon={<Inbox />} title={t(`empty.${list}.title`)}>
          {t(`empty.${list}.text`)}
        </EmptyState>
      )}
      {"lastKey" in pages ? <CursorPagination lastKey={pages.lastKey} /> : <Pagination {...pages} />}
    </>
  );
}

type DateField = "created" | "indexed" | "lastUsed" | "synced" | "updated";

export function useColumns() {
  const { t } = useTranslation("admin");
  return {
    team: (names: Record<string, string>): Column<{ teamId: string }> => ({
      key: "team",
      minor: true,
      header: t("field.team"),
      cell: ({ teamId }) => <TeamLink id={teamId} names={names} />,
    }),
    date: <Field extends DateField>(field: Field): Column<Record<`${Field}At`, string | null>> => ({
      key: field,
      header: t(`field.${field}`),
      align: "right",
      minor: true,
      cell: (row) => <DateCell value={row[`${field}At` as const]} />,
    }),
  };
}
