// A list of one resource of the team, found by name: head with the one action, search, rows or an empty state, and pages. Its words are
// `list` in the resource's file of words. Server only.
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { DataTable, type DataTableProps } from "#web/ui/DataTable.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Pagination, type PaginationProps } from "#web/ui/Pagination.tsx";
import { SearchForm } from "#web/ui/SearchForm.tsx";

export interface TeamListPageProps<Row> {
  /** Names the page below the team's, the permission to create one, and the words. */
  resource: string;
  icon: ReactNode;
  listed: { data: Row[] } & PaginationProps;
  columns: DataTableProps<Row>["columns"];
}

export function TeamListPage<Row extends { id: string }>({
  resource,
  icon,
  listed: { data: rows, ...pages },
  columns,
}: TeamListPageProps<Row>) {
  const { t } = useTranslation();
  const request = useRequest();
  const title = t(`${resource}:list.title`);
  const searched = request.url.searchParams.get("name");
  const hasRows = pages.total > 0 || searched;
  const create = may(request, `${resource}.write`) && (
    <Button
      href={teamPath(request, `${resource}/create`)}
      variant="primary"
      icon={<Plus aria-hidden className="size-4" />}
    >
      {t(`${resource}:list.create`)}
    </Button>
  );
  return (
    <>
      <PageHeader
        crumbs={[{ label: currentTeam(request).name, href: "/dashboard" }, { label: title }]}
        title={title}
        actions={hasRows && create}
      >
        {t(`${resource}:list.intro`)}
      </PageHeader>
      {hasRows && (
        <div className="mb-4">
          <SearchForm name="name" label={t(`${resource}:list.search`)} />
        </div>
      )}
      {rows.length > 0 ? (
        <DataTable caption={title} rows={rows} rowKey={({ id }) => id} columns={columns} />
      ) : searched ? (
        <EmptyState
          icon={icon}
          title={t(`${resource}:list.noMatch`, { searched })}
          action={<Button href={teamPath(request, resource)}>{t(`${resource}:list.showAll`)}</Button>}
        />
      ) : (
        <EmptyState icon={icon} title={t(`${resource}:list.emptyTitle`)} action={create}>
          {t(`${resource}:list.${create ? "emptyText" : "emptyRead"}`)}
        </EmptyState>
      )}
      <Pagination {...pages} />
    </>
  );
}
