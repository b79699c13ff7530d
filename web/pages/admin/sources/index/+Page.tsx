// Every team's sources.
import { useTranslation } from "react-i18next";
import { AdminFilters } from "../../../../components/admin/AdminFilters.tsx";
import { AdminHead } from "../../../../components/admin/AdminHead.tsx";
import { AdminTable } from "../../../../components/admin/AdminTable.tsx";
import { TeamLink } from "../../../../components/admin/TeamLink.tsx";
import { DateTime } from "../../../../components/DateTime.tsx";
import { Status } from "../../../../components/Status.tsx";
import { useData } from "../../../../renderer/render-context.tsx";
import type { SourcesData } from "./+data.ts";

const types = ["file", "agentChat", "jira", "shopify", "hubspot"];

export function Page() {
  const { t } = useTranslation("admin");
  const { data: rows, teamNames, ...pages } = useData<SourcesData>();
  return (
    <>
      <AdminHead list="sources" />
      <AdminFilters
        search="name"
        team
        choices={[
          {
            name: "type",
            label: t("field.type"),
            options: types.map((type) => ({ value: type, label: t(`sources:type.${type}`) })),
          },
        ]}
      />
      <AdminTable
        caption={t("lists.sources")}
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
          { key: "type", header: t("field.type"), minor: true, cell: (row) => t(`sources:type.${row.type}`) },
          {
            key: "team",
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
