// Every team's sources.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { Status } from "#web/ui/Status.tsx";
import { AdminListPage } from "../../AdminListPage.tsx";
import { useColumns } from "../../AdminTable.tsx";
import type { SourcesData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { date, team } = useColumns();
  const { data: rows, types, teamNames, ...pages } = useData<SourcesData>();
  return (
    <AdminListPage
      list="sources"
      rows={rows}
      pages={pages}
      search="name"
      team
      choices={[
        {
          name: "type",
          label: t("field.type"),
          options: types.map(({ type }) => ({ value: type, label: t(`source-${type}:name`) })),
        },
      ]}
      columns={[
        {
          key: "name",
          header: t("field.name"),
          cell: (row) => <RowLink href={`/admin/sources/${row.id}`} title={row.name} />,
        },
        { key: "type", header: t("field.type"), minor: true, cell: (row) => t(`source-${row.type}:name`) },
        team(teamNames),
        { key: "status", header: t("field.status"), cell: (row) => <Status value={row.status} /> },
        {
          key: "documents",
          header: t("field.documents"),
          align: "right",
          minor: true,
          cell: (row) => row.documentsCount,
        },
        date("synced"),
      ]}
    />
  );
}
