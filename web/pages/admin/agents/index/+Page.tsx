// Every team's agents.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { AdminListPage } from "../../AdminListPage.tsx";
import { TeamLink } from "../../TeamLink.tsx";
import type { AgentsData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
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
        {
          key: "team",
          minor: true,
          header: t("field.team"),
          cell: (row) => <TeamLink id={row.teamId} names={teamNames} />,
        },
        {
          key: "visibility",
          header: t("field.visibility"),
          cell: ({ visibility }) => (
            <Badge tone={visibility === "public" ? "good" : "neutral"}>
              {t(`agents:visibility.${visibility}`)}
            </Badge>
          ),
        },
        {
          key: "updated",
          header: t("field.updated"),
          align: "right",
          minor: true,
          cell: (row) => <DateCell value={row.updatedAt} />,
        },
      ]}
    />
  );
}
