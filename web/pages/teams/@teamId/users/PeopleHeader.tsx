// The head of the pages about people: who is in the team, and what each role may do.
import { useTranslation } from "#translations";
import { PageHeader } from "#web/components/PageHeader.tsx";
import { Tabs } from "#web/components/Tabs.tsx";
import { useRequest } from "#web/renderer/render-context.tsx";
import { currentTeam, teamPath } from "#web/server/current-team.ts";

export function PeopleHeader({ current }: { current: "users" | "roles" }) {
  const { t } = useTranslation("users");
  const request = useRequest();
  const team = { label: currentTeam(request).name, href: "/dashboard" };
  return (
    <>
      <PageHeader crumbs={[team, { label: t(`${current}Title`) }]} title={t(`${current}Title`)}>
        {t(`${current}Intro`)}
      </PageHeader>
      <Tabs
        label={t("usersTitle")}
        tabs={(["users", "roles"] as const).map((name) => ({
          label: t(`${name}Title`),
          href: teamPath(request, name),
          current: name === current,
        }))}
      />
    </>
  );
}
