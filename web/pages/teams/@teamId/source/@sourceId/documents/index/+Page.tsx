// A source's documents, each with its status.
import { FileText, RefreshCw } from "lucide-react";
import { useTranslation } from "#translations";
import { RetryDocument } from "#web/pages/teams/@teamId/sources/RetryDocument.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { CursorPagination } from "#web/ui/CursorPagination.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { FilterForm, FilterSearch, FilterSelect } from "#web/ui/FilterForm.tsx";
import { Form } from "#web/ui/Form.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { Status } from "#web/ui/Status.tsx";
import { useSort } from "#web/ui/sorting.ts";
import { type DocumentsData, documentFilters, documentStates, sorting } from "./+data.ts";

const working = new Set(["queued", "indexing"]);

export function Page() {
  const { t } = useTranslation("documents");
  const request = useRequest();
  const sort = useSort(sorting);
  const { data: documents, lastKey, source } = useData<DocumentsData>();
  const team = currentTeam(request);
  const mayWrite = may(request, "sources.write");
  const isFiltered = documentFilters.some((name) => request.url.searchParams.get(name));
  const isWorking = working.has(source.status);
  return (
    <>
      <PageHeader
        crumbs={[
          { label: team.name, href: "/dashboard" },
          { label: t("app:nav.sources"), href: teamPath(request, "sources") },
          { label: source.name, href: teamPath(request, `sources/${source.id}`) },
          { label: t("title") },
        ]}
        title={source.name}
        mark={<Status value={source.status} />}
        actions={
          mayWrite && (
            <Form name={isWorking ? "stop" : "index"}>
              <Button icon={<RefreshCw aria-hidden className="size-4" />}>
                {isWorking ? t("stop") : t("readAgain")}
              </Button>
            </Form>
          )
        }
      >
        {t("sources:documentsCount", { count: source.documentsCount })}
      </PageHeader>
      {source.error && (
        <div className="mb-6">
          <Alert tone="bad" title={t("sources:failed")}>
            {source.error}
          </Alert>
        </div>
      )}
      {(documents.length > 0 || isFiltered) && (
        <FilterForm label={t("filter.label")} names={documentFilters}>
          <FilterSearch label={t("filter.search")} />
          <FilterSelect
            name="status"
            label={t("status")}
            all={t("filter.allStates")}
            options={documentStates.map((value) => ({ value, label: t(`app:status.${value}`) }))}
          />
        </FilterForm>
      )}
      {documents.length === 0 ? (
        <EmptyState
          icon={<FileText />}
          title={t(isFiltered ? "filter.none" : "emptyTitle")}
          action={isFiltered && <Button href={request.url.pathname}>{t("app:filter.clear")}</Button>}
        >
          {!isFiltered && t("emptyText")}
        </EmptyState>
      ) : (
        <DataTable
          caption={t("title")}
          rows={documents}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "title",
              header: t("document"),
              sort: sort("title"),
              cell: ({ id, title, error }) => (
                <RowLink
                  href={teamPath(request, `source/${source.id}/documents/${id}`)}
                  title={title}
                  detail={error}
                  isBad
                />
              ),
            },
            {
              key: "status",
              header: t("status"),
              cell: ({ id, title, status }) => (
                <span className="flex items-center justify-between gap-1">
                  <Status value={status} />
                  {status === "failed" && mayWrite && (
                    <RetryDocument id={id} sourceId={source.id} title={title} />
                  )}
                </span>
              ),
            },
            {
              key: "passages",
              header: t("passages"),
              align: "right",
              minor: true,
              cell: ({ chunksCount }) => chunksCount,
            },
            {
              key: "updated",
              header: t("updated"),
              sort: sort("updatedAt", "desc"),
              align: "right",
              minor: true,
              cell: ({ updatedAt }) => <DateCell value={updatedAt} />,
            },
          ]}
        />
      )}
      <CursorPagination lastKey={lastKey} />
    </>
  );
}
