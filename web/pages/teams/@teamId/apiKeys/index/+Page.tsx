// Keys for programs that act for the team.
import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../../../components/ConfirmDialog.tsx";
import { DateTime } from "../../../../../components/DateTime.tsx";
import { EmptyState } from "../../../../../components/EmptyState.tsx";
import { PageHeader } from "../../../../../components/PageHeader.tsx";
import { Pagination } from "../../../../../components/Pagination.tsx";
import type { NewApiKeyProps } from "../../../../../islands/NewApiKey.tsx";
import { Island } from "../../../../../renderer/island.tsx";
import { useData, useRequest } from "../../../../../renderer/render-context.tsx";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import { grantableRoles, roleName } from "../../../../../server/role-name.ts";
import type { ApiKeysData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("apiKeys");
  const request = useRequest();
  const { keys, roles } = useData<ApiKeysData>();
  const team = currentTeam(request);
  return (
    <>
      <PageHeader
        crumbs={[{ label: team.name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
      >
        {t("intro")}
      </PageHeader>
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
      {keys.data.length === 0 ? (
        <EmptyState icon={<KeyRound />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      ) : (
        <ul aria-label={t("title")} className="mt-8 divide-y divide-line border-line border-y">
          {keys.data.map((key) => {
            const role = roles.find(({ id }) => id === key.roleId);
            return (
              <li key={key.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                <div className="min-w-0 flex-1">
                  <p className="truncate">
                    <a
                      href={teamPath(request, `apiKeys/${key.id}`)}
                      className="rounded-sm font-medium hover:underline"
                    >
                      {key.name}
                    </a>
                  </p>
                  <p className="text-muted text-sm">
                    <code className="font-mono">prl_{key.prefix}_…</code>
                    {role && ` · ${roleName(t, role)}`}
                  </p>
                </div>
                <p className="text-muted text-sm">
                  {key.lastUsedAt ? (
                    <>
                      {t("lastUsed")} <DateTime value={key.lastUsedAt} />
                    </>
                  ) : (
                    t("neverUsed")
                  )}
                </p>
                <ConfirmDialog
                  id={`revoke-${key.id}`}
                  form={`revoke-${key.id}`}
                  label={t("revoke.button")}
                  title={t("revoke.title", { name: key.name })}
                  confirm={t("revoke.confirm")}
                  fields={{ id: key.id }}
                >
                  {t("revoke.text")}
                </ConfirmDialog>
              </li>
            );
          })}
        </ul>
      )}
      <Pagination {...keys} />
    </>
  );
}
