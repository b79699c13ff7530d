// The head of every page of the admin area: where one is, and the way to the other lists. Server only.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { useRequest } from "../../renderer/render-context.tsx";
import type { Crumb } from "../Breadcrumbs.tsx";
import { PageHeader } from "../PageHeader.tsx";
import { Tabs } from "../Tabs.tsx";

const lists = [
  "teams",
  "users",
  "agents",
  "knowledges",
  "sources",
  "tasks",
  "apiKeys",
  "support",
  "models",
  "retention",
] as const;
type AdminList = (typeof lists)[number];

export interface AdminHeadProps {
  list: AdminList;
  /** Of one thing: what it is called. Of the list itself: absent. */
  name?: string;
  mark?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

export function AdminHead({ list, name, mark, actions, children }: AdminHeadProps) {
  const { t } = useTranslation("admin");
  const { url } = useRequest();
  const crumbs: Crumb[] = [
    { label: t("title"), href: "/admin/teams" },
    name === undefined
      ? { label: t(`lists.${list}`) }
      : { label: t(`lists.${list}`), href: `/admin/${list}` },
    ...(name === undefined ? [] : [{ label: name }]),
  ];
  return (
    <>
      <PageHeader crumbs={crumbs} title={name ?? t(`lists.${list}`)} mark={mark} actions={actions}>
        {children ?? (name === undefined && t(`intro.${list}`))}
      </PageHeader>
      <Tabs
        label={t("title")}
        tabs={lists.map((one) => ({
          label: t(`lists.${one}`),
          href: `/admin/${one}`,
          current: url.pathname === `/admin/${one}` || (one === list && name !== undefined),
        }))}
      />
    </>
  );
}
