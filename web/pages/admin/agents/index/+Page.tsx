// Every team's agents.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { AdminFilters } from "../../AdminFilters.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { AdminTable } from "../../AdminTable.tsx";
import { TeamLink } from "../../TeamLink.tsx";
import type { AgentsData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { data: rows, teamNames, ...pages } = useData<AgentsData>();
  return (
    <>
      <AdminHead list="agents" />
      <AdminFilters rows={rows} search="name" team />
      <AdminTable
        list="agents"
        rows={rows}
        rowKey={({ id }) => id}
        pages={pages}
        columns={[
          {
            key: "name",
            header: t("field.name"),
            cell: (row) => (
              <a href={`/admin/agents/${row.id}`} className="block min-w-0 rounded-sm">
                <span className="block truncate font-medium">{row.name}</span>
                <span className="block truncate text-muted text-sm">{row.description}</span>
              </a>
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
            cell: (row) => (
              <span className="text-muted">
                <DateTime value={row.updatedAt} />
              </span>
            ),
          },
        ]}
      />
    </>
  );
}
