// Adds a source: first what kind, then where it is and how to log in, beside what will be read. What was entered can be tested,
// and is before it is kept.

import { Bot, FileText, type LucideIcon, ShoppingBag, SquareKanban, Upload, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { EmptyState } from "../../../../../components/EmptyState.tsx";
import { FileSize } from "../../../../../components/FileSize.tsx";
import { Form } from "../../../../../components/Form.tsx";
import { FormField } from "../../../../../components/FormField.tsx";
import { OfferedButton } from "../../../../../components/OfferedButton.tsx";
import { PageHeader } from "../../../../../components/PageHeader.tsx";
import { SourceFields } from "../../../../../components/sources/SourceFields.tsx";
import { SourceReads } from "../../../../../components/sources/SourceReads.tsx";
import { TestedConnection } from "../../../../../components/sources/TestedConnection.tsx";
import { useData, useRender, useRequest } from "../../../../../renderer/render-context.tsx";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import { type Connectable, connectable, type NewSourceData } from "./+data.ts";

const icons: Record<Connectable, LucideIcon> = {
  file: FileText,
  jira: SquareKanban,
  shopify: ShoppingBag,
  hubspot: Users,
  agentChat: Bot,
};

export function Page() {
  const { t } = useTranslation("sources");
  const request = useRequest();
  const { type } = useData<NewSourceData>();
  const crumbs = [
    { label: currentTeam(request).name, href: "/dashboard" },
    { label: t("title"), href: teamPath(request, "sources") },
    { label: t("create.title"), ...(type ? { href: teamPath(request, "sources/create") } : {}) },
    ...(type ? [{ label: t(`type.${type}`) }] : []),
  ];
  if (!type) return <Choice crumbs={crumbs} />;
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={type === "file" ? t("create.ofFiles") : t("create.connect", { type: t(`type.${type}`) })}
      >
        {t(`about.${type}`)}
      </PageHeader>
      <div className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,36rem)_minmax(0,20rem)]">
        <div className="lg:order-last lg:pt-1">
          <SourceReads type={type} />
        </div>
        {type === "file" ? <ConnectFiles /> : <ConnectService type={type} />}
      </div>
    </>
  );
}

function ConnectService({ type }: { type: Exclude<Connectable, "file"> }) {
  const { t } = useTranslation("sources");
  const request = useRequest();
  const { agents } = useData<NewSourceData>();
  if (type === "agentChat" && agents.length === 0)
    return (
      <EmptyState
        icon={<Bot />}
        title={t("create.noAgents")}
        action={
          <OfferedButton href={teamPath(request, "agents/create")}>{t("create.newAgent")}</OfferedButton>
        }
      />
    );
  return (
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
      <TestedConnection type={type}>
        <Button variant="primary">{t("create.submit")}</Button>
      </TestedConnection>
    </Form>
  );
}

/** Files that are here already; new ones are dropped into a knowledge, which makes a source of its own for them. */
function ConnectFiles() {
  const { t } = useTranslation("sources");
  const request = useRequest();
  const { form } = useRender();
  const { files, filesTotal } = useData<NewSourceData>();
  const drop = (
    <OfferedButton
      href={teamPath(request, "knowledges/create")}
      icon={<Upload aria-hidden className="size-4" />}
    >
      {t("create.drop")}
    </OfferedButton>
  );
  if (files.length === 0)
    return (
      <EmptyState icon={<FileText />} title={t("create.noFilesYet")} action={drop}>
        {t("create.noFilesText")}
      </EmptyState>
    );
  const error = form?.errors["config.fileIds"];
  const ticked = form?.values["config.fileIds"] ?? [];
  return (
    <Form className="space-y-5">
      <FormField name="name" label={t("name")} required maxLength={200} defaultValue={t("type.file")} />
      <fieldset aria-describedby={error ? "files-error" : undefined} className="space-y-1.5">
        <legend className="mb-1.5 font-medium text-sm">{t("create.files")}</legend>
        {/* A list that scrolls is reached by Tab through the boxes in it. */}
        <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line">
          {files.map(({ id, name, size }) => (
            <li key={id}>
              <label className="flex cursor-pointer items-center gap-3 px-3 py-2 text-sm hover:bg-hover">
                <input
                  type="checkbox"
                  name="config.fileIds"
                  value={id}
                  defaultChecked={ticked.includes(id)}
                  aria-invalid={error ? true : undefined}
                />
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <span className="text-muted">
                  <FileSize bytes={size} />
                </span>
              </label>
            </li>
          ))}
        </ul>
        {filesTotal > files.length && (
          <p className="text-muted text-sm">{t("create.newestFiles", { count: files.length })}</p>
        )}
        {error && (
          <p id="files-error" className="font-medium text-bad text-sm">
            {error}
          </p>
        )}
      </fieldset>
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary">{t("create.submit")}</Button>
        {drop}
      </div>
    </Form>
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
        {connectable.map((type) => {
          const Icon = icons[type];
          return (
            <li key={type}>
              <a
                href={teamPath(request, `sources/create?type=${type}`)}
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
