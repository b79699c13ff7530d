// API keys for programs that act for the team.
import { KeyRound } from "lucide-react";
import { useTranslation } from "#translations";
import type { NewApiKeyProps } from "#web/islands/NewApiKey.tsx";
import { Island } from "#web/render/island.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { NeedsScripts } from "#web/ui/NeedsScripts.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { SearchForm } from "#web/ui/SearchForm.tsx";
import { useSort } from "#web/ui/sorting.ts";
import { grantableRoles, roleName } from "../../roles/role-name.ts";
import { type ApiKeysData, sorting } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("apiKeys");
  const request = useRequest();
  const { keys, roles } = useData<ApiKeysData>();
  const team = currentTeam(request);
  const sort = useSort(sorting);
  const searched = request.url.searchParams.get("name");
  return (
    <>
      <PageHeader
        isWide
        crumbs={[{ label: team.name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
      >
        {t("intro")}
      </PageHeader>
      <NeedsScripts>
        <Island<NewApiKeyProps>
          name="NewApiKey"
          props={{
            teamId: team.id,
            path: request.url.pathname,
            roles: grantableRoles(roles, team.permissions).map((role) => ({
              id: role.id,
              name: roleName(t, role),
              isDefault: role.codename === "editor",
            })),
          }}
        />
      </NeedsScripts>
      {(keys.total > keys.perPage || searched) && (
        <div className="mt-8">
          <SearchForm name="name" label={t("search")} />
        </div>
      )}
      {keys.data.length === 0 ? (
        <EmptyState
          icon={<KeyRound />}
          title={searched ? t("noMatch", { searched }) : t("emptyTitle")}
          action={searched && <Button href={request.url.pathname}>{t("showAll")}</Button>}
        >
          {!searched && t("emptyText")}
        </EmptyState>
      ) : (
        <div className="mt-4">
          <DataTable
            caption={t("title")}
            rows={keys.data}
            rowKey={({ id }) => id}
            columns={[
              {
                key: "name",
                header: t("name"),
                sort: sort("name"),
                cell: ({ id, name, prefix, active }) => (
                  <a href={teamPath(request, `apiKeys/${id}`)} className="block min-w-0 rounded-sm">
                    <span className="flex min-w-0 items-center gap-2 font-medium">
                      <span className="truncate">{name}</span>
                      {!active && (
                        <span className="shrink-0">
                          <Badge tone="careful">{t("inactive")}</Badge>
                        </span>
                      )}
                    </span>
                    <code className="block truncate font-mono text-muted text-xs">prl_{prefix}_…</code>
                  </a>
                ),
              },
              {
                key: "role",
                header: t("role"),
                minor: true,
                cell: ({ roleId }) => {
                  const role = roles.find(({ id }) => id === roleId);
                  return <span className="block max-w-40 truncate">{role ? roleName(t, role) : "–"}</span>;
                },
              },
              {
                key: "createdBy",
                header: t("createdBy"),
                minor: true,
                cell: ({ createdBy }) => (
                  <span className="block max-w-40 truncate" title={createdBy?.email}>
                    {createdBy?.name ?? t("unknownCreator")}
                  </span>
                ),
              },
              {
                key: "used",
                header: t("lastUsed"),
                sort: sort("lastUsedAt", "desc"),
                minor: true,
                cell: ({ lastUsedAt }) => (
                  <span className="whitespace-nowrap text-muted">
                    {lastUsedAt ? <DateTime value={lastUsedAt} /> : t("neverUsed")}
                  </span>
                ),
              },
              {
                key: "made",
                header: t("madeAt"),
                sort: sort("createdAt", "desc"),
                align: "right",
                minor: true,
                cell: ({ createdAt }) => (
                  <span className="whitespace-nowrap text-muted">
                    <DateTime value={createdAt} />
                  </span>
                ),
              },
              {
                key: "revoke",
                header: <span className="sr-only">{t("revoke.section")}</span>,
                align: "right",
                cell: ({ id, name }) => (
                  <ConfirmDialog
                    id={`revoke-${id}`}
                    form={`revoke-${id}`}
                    label={t("revoke.button")}
                    title={t("revoke.title", { name })}
                    confirm={t("revoke.confirm")}
                    fields={{ id }}
                  >
                    {t("revoke.text")}
                  </ConfirmDialog>
                ),
              },
            ]}
          />
        </div>
      )}
      <Pagination {...keys} />
    </>
  );
}
