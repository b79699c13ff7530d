// One role: editable when it is the team's own and within the reader's permissions, else read-only.
import { Trash2 } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { PermissionList } from "../PermissionList.tsx";
import { RoleForm } from "../RoleForm.tsx";
import { roleName } from "../role-name.ts";
import type { RoleData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("roles");
  const request = useRequest();
  const { role } = useData<RoleData>();
  const label = roleName(t, role);
  const mayChange =
    !role.system && may(request, "roles.write") && role.permissions.every((one) => may(request, one));
  return (
    <div className="max-w-2xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("users:rolesTitle"), href: teamPath(request, "roles") },
          { label },
        ]}
        title={label}
      >
        {role.system ? t("systemText") : t("ownText")}
      </PageHeader>
      {mayChange ? (
        <>
          <RoleForm name={role.name} permissions={role.permissions} submit={t("app:save")} />
          <div className="mt-8 border-line border-t pt-6">
            <ConfirmDialog
              id="delete-role"
              form="delete"
              icon={<Trash2 aria-hidden className="size-4" />}
              label={t("delete.button")}
              title={t("app:deleteQuestion", { name: role.name })}
              confirm={t("delete.confirm")}
            >
              {t("delete.text")}
            </ConfirmDialog>
          </div>
        </>
      ) : (
        <PermissionList permissions={role.permissions} />
      )}
    </div>
  );
}
