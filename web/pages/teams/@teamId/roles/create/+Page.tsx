// Creates a role of the team, starting from the viewer's permissions.
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { RoleForm } from "../RoleForm.tsx";

const begin = [
  "team.read",
  "users.read",
  "roles.read",
  "agents.read",
  "knowledges.read",
  "sources.read",
  "files.read",
  "tasks.read",
  "chats.write",
];

export function Page() {
  const { t } = useTranslation("roles");
  const request = useRequest();
  return (
    <div className="max-w-2xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("users:rolesTitle"), href: teamPath(request, "roles") },
          { label: t("create.title") },
        ]}
        title={t("create.title")}
      >
        {t("create.intro")}
      </PageHeader>
      <RoleForm name="" permissions={begin} submit={t("create.submit")} />
    </div>
  );
}
