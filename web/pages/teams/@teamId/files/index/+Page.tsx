// The team's uploaded files.
import { Files, Plus } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { FileSize } from "#web/ui/FileSize.tsx";
import { FilterForm, FilterSearch, FilterSelect } from "#web/ui/FilterForm.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { useSort } from "#web/ui/sorting.ts";
import { StorageUse } from "../StorageUse.tsx";
import { type FilesData, sorting } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("files");
  const request = useRequest();
  const sort = useSort(sorting);
  const { data: files, page, perPage, total, storage } = useData<FilesData>();
  const filtered = ["name", "type"].some((name) => request.url.searchParams.get(name));
  const add = may(request, "files.write") && (
    <Button
      type="button"
      data-choose-files
      className="noscript:hidden"
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
      {(total > 0 || filtered) && (
        <FilterForm label={t("filter.label")} names={["name", "type"]}>
          <FilterSearch name="name" label={t("filter.search")} />
          <FilterSelect
            name="type"
            label={t("type.label")}
            all={t("filter.allTypes")}
            options={["document", "image", "other"].map((value) => ({ value, label: t(`type.${value}`) }))}
          />
        </FilterForm>
      )}
      {files.length === 0 ? (
        <EmptyState
          icon={<Files />}
          title={filtered ? t("noMatch") : t("emptyTitle")}
          action={filtered ? <Button href={request.url.pathname}>{t("app:filter.clear")}</Button> : add}
        >
          {!filtered && t("emptyText")}
        </EmptyState>
      ) : (
        <DataTable
          caption={t("title")}
          rows={files}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "name",
              header: t("name"),
              sort: sort("name"),
              cell: ({ id, name }) => (
                <a href={teamPath(request, `files/${id}`)} className="block truncate rounded-sm font-medium">
                  {name}
                </a>
              ),
            },
            { key: "type", header: t("type.label"), minor: true, cell: ({ type }) => t(`type.${type}`) },
            {
              key: "size",
              header: t("size"),
              sort: sort("size", "desc"),
              align: "right",
              cell: ({ size }) => <FileSize bytes={size} />,
            },
            {
              key: "created",
              header: t("added"),
              sort: sort("createdAt", "desc"),
              align: "right",
              minor: true,
              cell: ({ createdAt }) => <DateCell value={createdAt} />,
            },
          ]}
        />
      )}
      <Pagination page={page} perPage={perPage} total={total} />
      {(total > 0 || storage.used > 0) && (
        <div className="mt-6">
          <StorageUse storage={storage} />
        </div>
      )}
    </>
  );
}
