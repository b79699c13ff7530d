// The header of every admin page: its position, and links to the other lists. Server only.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { useRequest } from "../../render/render-context.tsx";
import type { Crumb } from "../../ui/Breadcrumbs.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Tabs } from "../../ui/Tabs.tsx";

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
export type AdminList = (typeof lists)[number];

export interface AdminHeadProps {
  list: AdminList;
  /** The name of the resource; absent on the list itself. */
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
