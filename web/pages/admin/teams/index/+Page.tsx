// Every team.
import { useTranslation } from "react-i18next";
import { AdminFilters } from "../../../../components/admin/AdminFilters.tsx";
import { AdminHead } from "../../../../components/admin/AdminHead.tsx";
import { AdminTable } from "../../../../components/admin/AdminTable.tsx";
import { DateTime } from "../../../../components/DateTime.tsx";
import { useData } from "../../../../renderer/render-context.tsx";
import type { TeamsData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { data: rows, ...pages } = useData<TeamsData>();
  return (
    <>
      <AdminHead list="teams" />
      <AdminFilters search="search" />
      <AdminTable
        caption={t("lists.teams")}
        rows={rows}
        rowKey={({ id }) => id}
        pages={pages}
        columns={[
          {
            key: "name",
            header: t("field.name"),
            cell: (row) => (
              <a href={`/admin/teams/${row.id}`} className="block min-w-0 rounded-sm">
                <span className="block truncate font-medium">{row.name}</span>
                <span className="block truncate text-muted text-sm">{row.codename}</span>
              </a>
            ),
          },
          {
            key: "created",
            header: t("field.created"),
            align: "right",
            minor: true,
            cell: (row) => (
              <span className="text-muted">
                <DateTime value={row.createdAt} />
              </span>
            ),
          },
        ]}
      />
    </>
  );
}
