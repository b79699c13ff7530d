// Every team's knowledge bases.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { Status } from "#web/ui/Status.tsx";
import { AdminListPage } from "../../AdminListPage.tsx";
import { useColumns } from "../../AdminTable.tsx";
import type { KnowledgesData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { date, team } = useColumns();
  const { data: rows, teamNames, ...pages } = useData<KnowledgesData>();
  return (
    <AdminListPage
      list="knowledges"
      rows={rows}
      pages={pages}
      search="name"
      team
      columns={[
        {
          key: "name",
          header: t("field.name"),
          cell: (row) => (
            <RowLink href={`/admin/knowledges/${row.id}`} title={row.name} detail={row.description} />
          ),
        },
        team(teamNames),
        { key: "status", header: t("field.status"), cell: (row) => <Status value={row.status} /> },
        {
          key: "documents",
          header: t("field.documents"),
          align: "right",
          minor: true,
          cell: (row) => row.documentsCount,
        },
        date("indexed"),
      ]}
    />
  );
}
