// Creates a role of the team, starting from the viewer's permissions.
import { useTranslation } from "#translations";
import { PageHeader } from "#web/components/PageHeader.tsx";
import { useRequest } from "#web/renderer/render-context.tsx";
import { currentTeam, teamPath } from "#web/server/current-team.ts";
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
