// Every team's agents.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { AdminListPage } from "../../AdminListPage.tsx";
import { useColumns } from "../../AdminTable.tsx";
import type { AgentsData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { date, team } = useColumns();
  const { data: rows, teamNames, ...pages } = useData<AgentsData>();
  return (
    <AdminListPage
      list="agents"
      rows={rows}
      pages={pages}
      search="name"
      team
      columns={[
        {
          key: "name",
          header: t("field.name"),
          cell: (row) => (
            <RowLink href={`/admin/agents/${row.id}`} title={row.name} detail={row.description} />
          ),
        },
        team(teamNames),
        {
          key: "visibility",
          header: t("field.visibility"),
          cell: ({ visibility }) => (
            <Badge tone={visibility === "public" ? "good" : "neutral"}>
              {t(`agents:visibility.${visibility}`)}
            </Badge>
          ),
        },
        date("updated"),
      ]}
    />
  );
}
