// One member or invitation: the role with its permissions, and the removal.
import { Mail, Trash2 } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Section } from "#web/ui/Section.tsx";
import { Status } from "#web/ui/Status.tsx";
import { PermissionList } from "../../roles/PermissionList.tsx";
import { grantableRoles, roleName } from "../../roles/role-name.ts";
import type { UserData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("users");
  const request = useRequest();
  const { member, roles } = useData<UserData>();
  const team = currentTeam(request);
  const label = member.name ?? member.email;
  const role = roles.find(({ id }) => id === member.roleId);
  const grantable = grantableRoles(roles, team.permissions);
  const isSelf = member.userId === request.user?.id;
  const mayChange = may(request, "users.write") && grantable.some(({ id }) => id === member.roleId);
  const joined = member.status === "accepted";
  return (
    <div className="max-w-2xl">
      <PageHeader
        crumbs={[
          { label: team.name, href: "/dashboard" },
          { label: t("usersTitle"), href: teamPath(request, "users") },
          { label },
        ]}
        title={label}
        mark={
          <span className="text-sm">
            <Status value={member.status} />
          </span>
        }
      >
        {member.name && `${member.email} · `}
        {t(joined ? "inTeam" : "invitedAt")} <DateTime value={member.createdAt} />
      </PageHeader>
      <Section title={t("role")} description={t("roleText")}>
        {mayChange && (
          <Form name={joined ? "role" : "again"} className="mb-5 flex flex-wrap items-end gap-3">
            <div className="w-full max-w-full sm:w-auto sm:min-w-56">
              <FormField
                form={joined ? "role" : "again"}
                as="select"
                name="roleId"
                label={t("roleOf", { name: label })}
                options={grantable.map((one) => ({ value: one.id, label: roleName(t, one) }))}
                defaultValue={member.roleId}
              />
            </div>
            <Button className="h-9" icon={joined ? undefined : <Mail aria-hidden className="size-4" />}>
              {t(joined ? "changeRole" : "sendAgain")}
            </Button>
          </Form>
        )}
        {!mayChange && <p className="mb-4 font-medium">{role ? roleName(t, role) : "–"}</p>}
        {role && <PermissionList permissions={role.permissions} />}
      </Section>
      {isSelf ? (
        <Section title={t("leave.title")} description={t("leave.intro")}>
          <ConfirmDialog
            id="leave"
            form="leave"
            label={t("leave.button")}
            title={t("leave.ask", { team: team.name })}
            confirm={t("leave.confirm")}
          >
            {t("leave.text")}
          </ConfirmDialog>
        </Section>
      ) : (
        mayChange && (
          <Section title={t(joined ? "remove.section" : "cancel.section")}>
            <ConfirmDialog
              id="remove"
              form="remove"
              icon={<Trash2 aria-hidden className="size-4" />}
              label={t(joined ? "remove.button" : "cancel.button")}
              title={t(joined ? "remove.title" : "cancel.title", { name: label })}
              confirm={t(joined ? "remove.confirm" : "cancel.confirm")}
            >
              {t(joined ? "remove.text" : "cancel.text")}
            </ConfirmDialog>
          </Section>
        )
      )}
    </div>
  );
}
