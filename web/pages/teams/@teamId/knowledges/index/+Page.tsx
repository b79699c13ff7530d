// The team's knowledge bases, from which its agents answer.
import { Library, Plus } from "lucide-react";
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
import { type KnowledgesData, sorting } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("knowledges");
  const request = useRequest();
  const sort = useSort(sorting);
  const { data: knowledges, page, perPage, total } = useData<KnowledgesData>();
  const searched = request.url.searchParams.get("name");
  const create = may(request, "knowledges.write") && (
    <Button
      href={teamPath(request, "knowledges/create")}
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
        actions={create}
      >
        {t("list.intro")}
      </PageHeader>
      {(total > 0 || searched) && (
        <div className="mb-4">
          <SearchForm name="name" label={t("list.search")} />
        </div>
      )}
      {knowledges.length === 0 ? (
        <EmptyState
          icon={<Library />}
          title={searched ? t("list.noMatch", { searched }) : t("list.emptyTitle")}
          action={
            searched ? <Button href={teamPath(request, "knowledges")}>{t("list.showAll")}</Button> : create
          }
        >
          {!searched && t(create ? "list.emptyText" : "list.emptyRead")}
        </EmptyState>
      ) : (
        <DataTable
          caption={t("list.title")}
          rows={knowledges}
          rowKey={({ id }) => id}
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
      )}
      <Pagination page={page} perPage={perPage} total={total} />
    </>
  );
}
