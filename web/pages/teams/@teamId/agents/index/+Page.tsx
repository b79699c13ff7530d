// The team's agents. The template for list pages: header with the one action, search, table, pagination, and an empty state.
import { Bot, Plus } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { SearchForm } from "#web/ui/SearchForm.tsx";
import { useSort } from "#web/ui/sorting.ts";
import { type AgentsData, sorting } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("agents");
  const request = useRequest();
  const sort = useSort(sorting);
  const { data: agents, page, perPage, total } = useData<AgentsData>();
  const searched = request.url.searchParams.get("name");
  const create = may(request, "agents.write") && (
    <Button
      href={teamPath(request, "agents/create")}
      variant="primary"
      icon={<Plus aria-hidden className="size-4" />}
    >
      {t("list.create")}
    </Button>
  );
  return (
    <>
      <PageHeader
        crumbs={[{ label: currentTeam(request).name, href: "/dashboard" }, { label: t("list.title") }]}
        title={t("list.title")}
        actions={(total > 0 || searched) && create}
      >
        {t("list.intro")}
      </PageHeader>
      {(total > 0 || searched) && (
        <div className="mb-4">
          <SearchForm name="name" label={t("list.search")} />
        </div>
      )}
      {agents.length === 0 ? (
        <EmptyState
          icon={<Bot />}
          title={searched ? t("list.noMatch", { searched }) : t("list.emptyTitle")}
          action={searched ? <Button href={teamPath(request, "agents")}>{t("list.showAll")}</Button> : create}
        >
          {!searched && t(create ? "list.emptyText" : "list.emptyRead")}
        </EmptyState>
      ) : (
        <DataTable
          caption={t("list.title")}
          rows={agents}
          rowKey={(agent) => agent.id}
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
      )}
      <Pagination page={page} perPage={perPage} total={total} />
    </>
  );
}
