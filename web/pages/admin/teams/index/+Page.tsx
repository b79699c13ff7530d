// Every team.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { AdminListPage } from "../../AdminListPage.tsx";
import { useColumns } from "../../AdminTable.tsx";
import type { TeamsData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { date } = useColumns();
  const { data: rows, ...pages } = useData<TeamsData>();
  return (
    <AdminListPage
      list="teams"
      rows={rows}
      pages={pages}
      search="search"
      columns={[
        {
          key: "name",
          header: t("field.name"),
          cell: (row) => <RowLink href={`/admin/teams/${row.id}`} title={row.name} detail={row.codename} />,
        },
        date("created"),
      ]}
    />
  );
}
