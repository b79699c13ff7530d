// Where the team's documents come from.
import { Plug, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { DataTable } from "../../../../../components/DataTable.tsx";
import { DateTime } from "../../../../../components/DateTime.tsx";
import { EmptyState } from "../../../../../components/EmptyState.tsx";
import { PageHeader } from "../../../../../components/PageHeader.tsx";
import { Pagination } from "../../../../../components/Pagination.tsx";
import { SearchForm } from "../../../../../components/SearchForm.tsx";
import { Status } from "../../../../../components/Status.tsx";
import { useSort } from "../../../../../components/sorting.ts";
import { useData, useRequest } from "../../../../../renderer/render-context.tsx";
import { currentTeam, may, teamPath } from "../../../../../server/current-team.ts";
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
          {!searched && t("emptyText")}
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
                <a href={teamPath(request, `sources/${id}`)} className="block min-w-0 rounded-sm">
                  <span className="block truncate font-medium">{name}</span>
                  {error && <span className="block truncate text-bad text-sm">{error}</span>}
                </a>
              ),
            },
            { key: "type", header: t("type.label"), minor: true, cell: ({ type }) => t(`type.${type}`) },
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
              cell: ({ syncedAt }) => (
                <span className="text-muted">{syncedAt ? <DateTime value={syncedAt} /> : "–"}</span>
              ),
            },
          ]}
        />
      )}
      <Pagination page={page} perPage={perPage} total={total} />
    </>
  );
}
