// The header of the pages about people: the members, and the permissions of each role.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { PageHeader } from "#web/components/PageHeader.tsx";
import { Tabs } from "#web/components/Tabs.tsx";
import { useRequest } from "#web/renderer/render-context.tsx";
import { currentTeam, teamPath } from "#web/server/current-team.ts";

interface PeopleHeaderProps {
  current: "users" | "roles";
  actions?: ReactNode;
}

export function PeopleHeader({ current, actions }: PeopleHeaderProps) {
  const { t } = useTranslation("users");
  const request = useRequest();
  const team = { label: currentTeam(request).name, href: "/dashboard" };
  return (
    <>
      <PageHeader
        isWide
        crumbs={[team, { label: t(`${current}Title`) }]}
        title={t(`${current}Title`)}
        actions={actions}
      >
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
