// The team's members and invitations. Those who may can invite; everything else is on a member's own page.
import { UsersRound } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormTags } from "#web/ui/FormTags.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { SearchForm } from "#web/ui/SearchForm.tsx";
import { Status } from "#web/ui/Status.tsx";
import { useSort } from "#web/ui/sorting.ts";
import { grantableRoles, roleName } from "../../roles/role-name.ts";
import { PeopleHeader } from "../PeopleHeader.tsx";
import { sorting, type UsersData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("users");
  const request = useRequest();
  const sort = useSort(sorting);
  const { members, roles } = useData<UsersData>();
  const { permissions } = currentTeam(request);
  const searched = request.url.searchParams.get("search");
  const grantable = grantableRoles(roles, permissions);
  const roleOf = (roleId: string) => roles.find(({ id }) => id === roleId);
  return (
    <>
      <PeopleHeader current="users" />
      {may(request, "users.write") && (
        <section aria-labelledby="invite" className="mb-8 rounded-md border border-line p-4">
          <h2 id="invite" className="font-medium">
            {t("invite.title")}
          </h2>
          <p className="mb-3 text-muted text-sm">{t("invite.text")}</p>
          <Form className="grid items-start gap-3 lg:grid-cols-[1fr_fit-content(24rem)_auto]">
            <FormTags
              name="emails"
              type="email"
              label={t("invite.emails")}
              placeholder="ada@example.com"
              values={[]}
              max={20}
              maxLength={320}
              addOnTab
              addOnBlur
              addOnPaste
            />
            <FormField
              as="select"
              name="roleId"
              label={t("role")}
              options={grantable.map((role) => ({ value: role.id, label: roleName(t, role) }))}
              defaultValue={grantable.find(({ codename }) => codename === "editor")?.id}
            />
            <Button variant="primary" className="h-9 lg:mt-6.5">
              {t("invite.submit")}
            </Button>
          </Form>
        </section>
      )}
      {(members.total > members.perPage || searched) && (
        <div className="mb-4">
          <SearchForm label={t("searchLabel")} />
        </div>
      )}
      {members.data.length === 0 ? (
        <EmptyState
          icon={<UsersRound />}
          title={t("noMatch", { searched })}
          action={<Button href={request.url.pathname}>{t("showAll")}</Button>}
        />
      ) : (
        <DataTable
          caption={t("members")}
          rows={members.data}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "name",
              header: t("name"),
              sort: sort("name"),
              cell: ({ id, userId, name, email }) => (
                <a
                  href={teamPath(request, `users/${id}`)}
                  className="flex min-w-0 items-center gap-3 rounded-sm"
                >
                  <Avatar name={name ?? email} />
                  <span className="min-w-0">
                    <span className="flex items-center gap-2">
                      <span className="truncate font-medium">{name ?? email}</span>
                      {userId === request.user?.id && (
                        <span className="shrink-0">
                          <Badge>{t("you")}</Badge>
                        </span>
                      )}
                    </span>
                    {name && <span className="block truncate text-muted text-sm">{email}</span>}
                  </span>
                </a>
              ),
            },
            {
              key: "role",
              header: t("role"),
              sort: sort("role"),
              cell: ({ roleId }) => {
                const role = roleOf(roleId);
                return <span className="whitespace-nowrap">{role ? roleName(t, role) : "–"}</span>;
              },
            },
            {
              key: "status",
              header: t("state"),
              sort: sort("status"),
              minor: true,
              cell: ({ status }) => <Status value={status} />,
            },
            {
              key: "since",
              header: t("since"),
              sort: sort("createdAt", "desc"),
              align: "right",
              minor: true,
              cell: ({ createdAt }) => <DateCell value={createdAt} />,
            },
          ]}
        />
      )}
      <Pagination {...members} />
    </>
  );
}
