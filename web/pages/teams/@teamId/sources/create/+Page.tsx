// Adds a source: first what kind, then where it is and how to log in. What was entered is tried before it is kept.
import { Bot, FileText, type LucideIcon, ShoppingBag, SquareKanban, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { Form } from "../../../../../components/Form.tsx";
import { FormField } from "../../../../../components/FormField.tsx";
import { PageHeader } from "../../../../../components/PageHeader.tsx";
import { SourceFields } from "../../../../../components/sources/SourceFields.tsx";
import { useData, useRequest } from "../../../../../renderer/render-context.tsx";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import type { Connectable, NewSourceData } from "./+data.ts";

const icons: Record<Connectable | "file", LucideIcon> = {
  file: FileText,
  jira: SquareKanban,
  shopify: ShoppingBag,
  hubspot: Users,
  agentChat: Bot,
};

export function Page() {
  const { t } = useTranslation("sources");
  const request = useRequest();
  const { type, agents } = useData<NewSourceData>();
  const crumbs = [
    { label: currentTeam(request).name, href: "/dashboard" },
    { label: t("title"), href: teamPath(request, "sources") },
    { label: t("create.title"), ...(type ? { href: teamPath(request, "sources/create") } : {}) },
    ...(type ? [{ label: t(`type.${type}`) }] : []),
  ];
  if (!type) return <Choice crumbs={crumbs} />;
  return (
    <div className="max-w-xl">
      <PageHeader crumbs={crumbs} title={t("create.connect", { type: t(`type.${type}`) })}>
        {t(`about.${type}`)}
      </PageHeader>
      <Form className="space-y-5">
        <FormField name="name" label={t("name")} required maxLength={200} defaultValue={t(`type.${type}`)} />
        <SourceFields type={type} agents={agents} />
        <FormField
          as="select"
          name="schedule"
          label={t("schedule.label")}
          hint={t("schedule.hint")}
          defaultValue="daily"
          options={["manual", "hourly", "daily", "weekly"].map((value) => ({
            value,
            label: t(`schedule.${value}`),
          }))}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="primary">{t("create.submit")}</Button>
          <p className="text-muted text-sm">{t("create.readOnly")}</p>
        </div>
      </Form>
    </div>
  );
}

function Choice({ crumbs }: { crumbs: { label: string; href?: string }[] }) {
  const { t } = useTranslation("sources");
  const request = useRequest();
  return (
    <div className="max-w-2xl">
      <PageHeader crumbs={crumbs} title={t("create.title")}>
        {t("create.intro")}
      </PageHeader>
      <ul className="divide-y divide-line border-line border-y">
        {(["file", "jira", "shopify", "hubspot", "agentChat"] as const).map((type) => {
          const Icon = icons[type];
          const href = type === "file" ? "knowledges/create" : `sources/create?type=${type}`;
          return (
            <li key={type}>
              <a
                href={teamPath(request, href)}
                className="-mx-3 flex items-start gap-3 rounded-md px-3 py-3.5 transition-colors hover:bg-sunken"
              >
                <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
                <span className="min-w-0">
                  <span className="block font-medium">{t(`type.${type}`)}</span>
                  <span className="block text-muted text-sm">{t(`about.${type}`)}</span>
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
