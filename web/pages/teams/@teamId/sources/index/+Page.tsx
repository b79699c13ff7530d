// The team's sources.
import { Plug } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { teamPath } from "#web/request/current-team.ts";
import { DateCell } from "#web/ui/DateCell.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { Status } from "#web/ui/Status.tsx";
import { useSort } from "#web/ui/sorting.ts";
import { TeamListPage } from "../../TeamListPage.tsx";
import { type SourcesData, sorting } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("sources");
  const request = useRequest();
  const sort = useSort(sorting);
  return (
    <TeamListPage
      resource="sources"
      icon={<Plug />}
      listed={useData<SourcesData>()}
      columns={[
        {
          key: "name",
          header: t("name"),
          sort: sort("name"),
          cell: ({ id, name, error }) => (
            <RowLink href={teamPath(request, `sources/${id}`)} title={name} detail={error} isBad />
          ),
        },
        {
          key: "type",
          header: t("type"),
          minor: true,
          cell: ({ type }) => t(`source-${type}:name`),
        },
        {
          key: "status",
          header: t("status"),
          sort: sort("status"),
          cell: ({ status }) => <Status value={status} />,
        },
        {
          key: "documents",
          header: t("documents"),
          align: "right",
          minor: true,
          cell: ({ documentsCount }) => documentsCount,
        },
        {
          key: "synced",
          header: t("synced"),
          sort: sort("syncedAt", "desc"),
          align: "right",
          minor: true,
          cell: ({ syncedAt }) => <DateCell value={syncedAt} />,
        },
      ]}
    />
  );
}
