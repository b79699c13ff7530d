// The team's agents. The template for list pages.
import { Bot } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { teamPath } from "#web/request/current-team.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { useSort } from "#web/ui/sorting.ts";
import { TeamListPage } from "../../TeamListPage.tsx";
import { type AgentsData, sorting } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("agents");
  const request = useRequest();
  const sort = useSort(sorting);
  return (
    <TeamListPage
      resource="agents"
      icon={<Bot />}
      listed={useData<AgentsData>()}
      columns={[
        {
          key: "name",
          header: t("name"),
          sort: sort("name"),
          cell: (agent) => (
            <RowLink
              href={teamPath(request, `agents/${agent.id}`)}
              title={agent.name}
              detail={agent.description}
            />
          ),
        },
        {
          key: "visibility",
          header: t("visibility.label"),
          cell: (agent) => (
            <Badge tone={agent.visibility === "public" ? "good" : "neutral"}>
              {t(`visibility.${agent.visibility}`)}
            </Badge>
          ),
        },
        {
          key: "knowledge",
          header: t("knowledge"),
          align: "right",
          minor: true,
          cell: (agent) => agent.knowledgeIds.length,
        },
        {
          key: "updated",
          header: t("updated"),
          sort: sort("updatedAt", "desc"),
          align: "right",
          minor: true,
          cell: (agent) => <DateCell value={agent.updatedAt} />,
        },
      ]}
    />
  );
}
