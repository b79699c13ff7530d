// Who is in the team and who is invited. Those who may, invite, change roles and remove.
import { useTranslation } from "react-i18next";
import { Avatar } from "../../../../../components/Avatar.tsx";
import { Button } from "../../../../../components/Button.tsx";
import { ConfirmDialog } from "../../../../../components/ConfirmDialog.tsx";
import { Form } from "../../../../../components/Form.tsx";
import { FormField } from "../../../../../components/FormField.tsx";
import { PageHeader } from "../../../../../components/PageHeader.tsx";
import { Pagination } from "../../../../../components/Pagination.tsx";
import { Section } from "../../../../../components/Section.tsx";
import { Select } from "../../../../../components/Select.tsx";
import { Status } from "../../../../../components/Status.tsx";
import { useData, useRequest } from "../../../../../renderer/render-context.tsx";
import type { Role } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";
import { grantableRoles, roleName } from "../../../../../server/role-name.ts";
import type { TeamUser, UsersData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("users");
  const request = useRequest();
  const { members, roles } = useData<UsersData>();
  const team = currentTeam(request);
  const mayWrite =
    roles.find(({ codename }) => codename === team.role)?.permissions.includes("users.write") ?? false;
  const grantable = grantableRoles(roles, team.role);
  const options = grantable.map((role) => ({ value: role.id, label: roleName(t, role) }));
  return (
    <>
      <PageHeader
        crumbs={[{ label: team.name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
      >
        {t("intro")}
      </PageHeader>
      {mayWrite && (
        <Section title={t("invite.title")} description={t("invite.text")}>
          <Form name="invite" className="grid items-start gap-3 sm:grid-cols-[1fr_10rem_auto]">
            <FormField form="invite" name="email" type="email" label={t("email")} required maxLength={320} />
            <FormField
              form="invite"
              as="select"
              name="roleId"
              label={t("role")}
              options={options}
              defaultValue={grantable.find(({ codename }) => codename === "editor")?.id}
            />
            <Button variant="primary" className="h-9 sm:mt-6.5">
              {t("invite.submit")}
            </Button>
          </Form>
        </Section>
      )}
      <Section title={t("members")}>
        <ul className="divide-y divide-line border-line border-y">
          {members.data.map((member) => (
            <Member
              key={member.id}
              member={member}
              roles={roles}
              options={mayWrite && options.some(({ value }) => value === member.roleId) ? options : null}
            />
          ))}
        </ul>
        <Pagination {...members} />
      </Section>
    </>
  );
}

interface MemberProps {
  member: TeamUser;
  roles: Role[];
  /** Roles that the reader could give this member; null where they may not change anything. */
  options: { value: string; label: string }[] | null;
}

function Member({ member: { id, name, email, roleId, status }, roles, options }: MemberProps) {
  const { t } = useTranslation("users");
  const role = roles.find((one) => one.id === roleId);
  const label = name ?? email;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <Avatar name={label} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{label}</p>
        {name && <p className="truncate text-muted text-sm">{email}</p>}
      </div>
      {status !== "accepted" && (
        <span className="text-sm">
          <Status value={status} />
        </span>
      )}
      {options ? (
        <>
          <Form
            name={status === "accepted" ? `role-${id}` : `again-${id}`}
            className="flex items-center gap-2"
          >
            <input type="hidden" name="id" value={id} />
            <Select
              id={`role-${id}`}
              name="roleId"
              aria-label={t("roleOf", { name: label })}
              options={options}
              defaultValue={roleId}
            />
            <Button size="sm">{t(status === "accepted" ? "changeRole" : "sendAgain")}</Button>
          </Form>
          <ConfirmDialog
            id={`remove-${id}`}
            form={`remove-${id}`}
            label={t("remove.button")}
            title={t("remove.title", { name: label })}
            confirm={t("remove.confirm")}
            fields={{ id }}
          >
            {t("remove.text")}
          </ConfirmDialog>
        </>
      ) : (
        <span className="text-muted text-sm">{role ? roleName(t, role) : ""}</span>
      )}
    </li>
  );
}
