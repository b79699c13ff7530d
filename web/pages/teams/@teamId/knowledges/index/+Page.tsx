// The team's knowledge bases, from which its agents answer.
import { Library } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { teamPath } from "#web/request/current-team.ts";
import { DateCell } from "#web/ui/DateCell.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { Status } from "#web/ui/Status.tsx";
import { useSort } from "#web/ui/sorting.ts";
import { TeamListPage } from "../../TeamListPage.tsx";
import { type KnowledgesData, sorting } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("knowledges");
  const request = useRequest();
  const sort = useSort(sorting);
  return (
    <TeamListPage
      resource="knowledges"
      icon={<Library />}
      listed={useData<KnowledgesData>()}
      columns={[
        {
          key: "name",
          header: t("name"),
          sort: sort("name"),
          cell: ({ id, name, description }) => (
            <RowLink href={teamPath(request, `knowledges/${id}`)} title={name} detail={description} />
          ),
        },
        {
          key: "status",
          header: t("status"),
          sort: sort("status"),
          cell: ({ status, overdueSources }) => (
            <span className="flex flex-wrap items-center gap-x-3">
              <Status value={status} />
              {overdueSources.length > 0 && (
                <span className="whitespace-normal text-careful text-sm">{t("overdue.mark")}</span>
              )}
            </span>
          ),
        },
        {
          key: "documents",
          header: t("documents"),
          align: "right",
          minor: true,
          cell: ({ documentsCount }) => documentsCount,
        },
        {
          key: "indexed",
          header: t("indexed"),
          sort: sort("indexedAt", "desc"),
          align: "right",
          minor: true,
          cell: ({ indexedAt }) => <DateCell value={indexedAt} />,
        },
      ]}
    />
  );
}
