// The team's sources.
import { Plug, Plus } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { SearchForm } from "#web/ui/SearchForm.tsx";
import { Status } from "#web/ui/Status.tsx";
import { useSort } from "#web/ui/sorting.ts";
import { type SourcesData, sorting } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("sources");
  const request = useRequest();
  const sort = useSort(sorting);
  const { data: sources, page, perPage, total } = useData<SourcesData>();
  const searched = request.url.searchParams.get("name");
  const add = may(request, "sources.write") && (
    <Button
      href={teamPath(request, "sources/create")}
      variant="primary"
      icon={<Plus aria-hidden className="size-4" />}
    >
      {t("add")}
    </Button>
  );
  return (
    <>
      <PageHeader
        crumbs={[{ label: currentTeam(request).name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
        actions={add}
      >
        {t("intro")}
      </PageHeader>
      {(total > 0 || searched) && (
        <div className="mb-4">
          <SearchForm name="name" label={t("search")} />
        </div>
      )}
      {sources.length === 0 ? (
        <EmptyState
          icon={<Plug />}
          title={searched ? t("noMatch", { searched }) : t("emptyTitle")}
          action={searched ? <Button href={teamPath(request, "sources")}>{t("showAll")}</Button> : add}
        >
          {!searched && t(add ? "emptyText" : "emptyRead")}
        </EmptyState>
      ) : (
        <DataTable
          caption={t("title")}
          rows={sources}
          rowKey={({ id }) => id}
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
      )}
      <Pagination page={page} perPage={perPage} total={total} />
    </>
  );
}
