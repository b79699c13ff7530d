// Every team's sources.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Status } from "#web/ui/Status.tsx";
import { AdminFilters } from "../../AdminFilters.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { AdminTable } from "../../AdminTable.tsx";
import { TeamLink } from "../../TeamLink.tsx";
import type { SourcesData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { data: rows, types, teamNames, ...pages } = useData<SourcesData>();
  return (
    <>
      <AdminHead list="sources" />
      <AdminFilters
        rows={rows}
        search="name"
        team
        choices={[
          {
            name: "type",
            label: t("field.type"),
            options: types.map(({ type }) => ({ value: type, label: t(`source-${type}:name`) })),
          },
        ]}
      />
      <AdminTable
        list="sources"
        rows={rows}
        rowKey={({ id }) => id}
        pages={pages}
        columns={[
          {
            key: "name",
            header: t("field.name"),
            cell: (row) => (
              <a href={`/admin/sources/${row.id}`} className="block min-w-0 rounded-sm">
                <span className="block truncate font-medium">{row.name}</span>
              </a>
            ),
          },
          { key: "type", header: t("field.type"), minor: true, cell: (row) => t(`source-${row.type}:name`) },
          {
            key: "team",
            minor: true,
            header: t("field.team"),
            cell: (row) => <TeamLink id={row.teamId} names={teamNames} />,
          },
          { key: "status", header: t("field.status"), cell: (row) => <Status value={row.status} /> },
          {
            key: "documents",
            header: t("field.documents"),
            align: "right",
            minor: true,
            cell: (row) => row.documentsCount,
          },
          {
            key: "synced",
            header: t("field.synced"),
            align: "right",
            minor: true,
            cell: (row) => (
              <span className="text-muted">{row.syncedAt ? <DateTime value={row.syncedAt} /> : "–"}</span>
            ),
          },
        ]}
      />
    </>
  );
}
