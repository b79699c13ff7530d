// The team's apps: the channels outside Parley in which its agents answer.
import { Blocks } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { teamPath } from "#web/request/current-team.ts";
import { RowLink } from "#web/ui/RowLink.tsx";
import { useSort } from "#web/ui/sorting.ts";
import { TeamListPage } from "../../TeamListPage.tsx";
import { AppStatus } from "../AppStatus.tsx";
import { type AppsData, sorting } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("apps");
  const request = useRequest();
  const sort = useSort(sorting);
  const { apps, names } = useData<AppsData>();
  return (
    <TeamListPage
      resource="apps"
      icon={<Blocks />}
      listed={apps}
      columns={[
        {
          key: "name",
          header: t("name"),
          sort: sort("name"),
          cell: (app) => (
            <RowLink
              href={teamPath(request, `apps/${app.id}`)}
              title={app.name}
              detail={t(`type.${app.type}`)}
            />
          ),
        },
        {
          key: "agent",
          header: t("agent"),
          minor: true,
          cell: (app) => <span className="block max-w-56 truncate">{names[app.agentId] ?? ""}</span>,
        },
        {
          key: "workspace",
          header: t("workspace"),
          minor: true,
          cell: (app) => <span className="block max-w-48 truncate">{app.workspace?.name ?? "–"}</span>,
        },
        {
          key: "status",
          header: t("status"),
          sort: sort("status"),
          cell: (app) => <AppStatus status={app.status} />,
        },
      ]}
    />
  );
}
