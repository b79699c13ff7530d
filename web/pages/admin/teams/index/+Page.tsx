// Every team.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { AdminFilters } from "../../AdminFilters.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { AdminTable } from "../../AdminTable.tsx";
import type { TeamsData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { data: rows, ...pages } = useData<TeamsData>();
  return (
    <>
      <AdminHead list="teams" />
      <AdminFilters rows={rows} search="search" />
      <AdminTable
        list="teams"
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
