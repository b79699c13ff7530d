// The header of the pages about people: the members, and the permissions of each role.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Tabs } from "#web/ui/Tabs.tsx";

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
