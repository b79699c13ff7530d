// The team's apps: the channels outside Parley in which its agents answer.
import { Blocks, Plus } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { SearchForm } from "#web/ui/SearchForm.tsx";
import { useSort } from "#web/ui/sorting.ts";
import { AppStatus } from "../AppStatus.tsx";
import { type AppsData, sorting } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("apps");
  const request = useRequest();
  const sort = useSort(sorting);
  const { apps, names } = useData<AppsData>();
  const searched = request.url.searchParams.get("name");
  const create = may(request, "apps.write") && (
    <Button
      href={teamPath(request, "apps/create")}
      variant="primary"
      icon={<Plus aria-hidden className="size-4" />}
    >
      {t("list.create")}
    </Button>
  );
  const agentName = (id: string) => names[id] ?? "";
  return (
    <>
      <PageHeader
        crumbs={[{ label: currentTeam(request).name, href: "/dashboard" }, { label: t("list.title") }]}
        title={t("list.title")}
        actions={(apps.total > 0 || searched) && create}
      >
        {t("list.intro")}
      </PageHeader>
      {(apps.total > 0 || searched) && (
        <div className="mb-4">
          <SearchForm name="name" label={t("list.search")} />
        </div>
      )}
      {apps.data.length === 0 ? (
        <EmptyState
          icon={<Blocks />}
          title={searched ? t("list.noMatch", { searched }) : t("list.emptyTitle")}
          action={searched ? <Button href={teamPath(request, "apps")}>{t("list.showAll")}</Button> : create}
        >
          {!searched && t(create ? "list.emptyText" : "list.emptyRead")}
        </EmptyState>
      ) : (
        <DataTable
          caption={t("list.title")}
          rows={apps.data}
          rowKey={(app) => app.id}
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
              cell: (app) => <span className="block max-w-56 truncate">{agentName(app.agentId)}</span>,
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
      )}
      <Pagination page={apps.page} perPage={apps.perPage} total={apps.total} />
    </>
  );
}
