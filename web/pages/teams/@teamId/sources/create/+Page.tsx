// Adds a source: first the type, then its address and credentials, next to what will be synced. The connection can be
// tested, and always is before the source is saved.

import { Bot, FileText, Upload } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRender, useRequest } from "#web/render/render-context.tsx";
import type { SourceType } from "#web/request/api-types.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { ChoiceSearch } from "#web/ui/ChoiceSearch.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { FileSize } from "#web/ui/FileSize.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { OfferedButton } from "#web/ui/OfferedButton.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { SourceFields } from "../SourceFields.tsx";
import { hasAgentSetting, hasFileList, isSynced } from "../source-types.ts";
import { TestedConnection } from "../TestedConnection.tsx";
import type { NewSourceData } from "./+data.ts";
import { SourceIcon } from "./SourceIcon.tsx";
import { SourceReads } from "./SourceReads.tsx";

export function Page() {
  const { t } = useTranslation("sources");
  const request = useRequest();
  const { type } = useData<NewSourceData>();
  const crumbs = [
    { label: currentTeam(request).name, href: "/dashboard" },
    { label: t("list.title"), href: teamPath(request, "sources") },
    { label: t("create.title"), ...(type ? { href: teamPath(request, "sources/create") } : {}) },
    ...(type ? [{ label: t(`source-${type.type}:name`) }] : []),
  ];
  if (!type) return <Choice crumbs={crumbs} />;
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={
          hasFileList(type)
            ? t("create.ofFiles")
            : isSynced(type)
              ? t("create.connect", { type: t(`source-${type.type}:name`) })
              : t(`source-${type.type}:name`)
        }
      >
        {t(`source-${type.type}:about`)}
      </PageHeader>
      <div className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,36rem)_minmax(0,20rem)]">
        <div className="lg:order-last lg:pt-1">
          <SourceReads type={type} />
        </div>
        {hasFileList(type) ? <ConnectFiles /> : <ConnectService type={type} />}
      </div>
    </>
  );
}

function ConnectService({ type }: { type: SourceType }) {
  const { t } = useTranslation("sources");
  const request = useRequest();
  const { agents } = useData<NewSourceData>();
  if (hasAgentSetting(type) && agents.options.length === 0)
    return (
      <EmptyState
        icon={<Bot />}
        title={t("create.noAgents")}
        action={
          <OfferedButton href={teamPath(request, "agents/create")}>{t("create.newAgent")}</OfferedButton>
        }
      />
    );
  const form = (
    <Form className="space-y-5">
      <FormField
        name="name"
        label={t("name")}
        required
        maxLength={200}
        defaultValue={t(`source-${type.type}:name`)}
      />
      <SourceFields type={type} agents={agents} />
      {isSynced(type) ? (
        <>
          <FormField
            as="select"
            name="schedule"
            label={t("schedule.label")}
            hint={t("schedule.hint")}
            defaultValue="daily"
            options={type.schedules.map((value) => ({
              value,
              label: t(`schedule.${value}`),
            }))}
          />
          <TestedConnection type={type}>
            <Button variant="primary">{t("create.submit")}</Button>
          </TestedConnection>
        </>
      ) : (
        <Button variant="primary">{t("list.create")}</Button>
      )}
    </Form>
  );
  return (
    <div>
      <ChoiceSearch choices={agents} label={t("chats:agent")} />
      {form}
    </div>
  );
}

/** Files that are already uploaded; new ones are dropped into a knowledge base, which creates a source for them. */
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
      <FormField
        name="name"
        label={t("name")}
        required
        maxLength={200}
        defaultValue={t("source-file:name")}
      />
      <fieldset aria-describedby={error ? "files-error" : undefined} className="space-y-1.5">
        <legend className="mb-1.5 font-medium text-sm">{t("create.files")}</legend>
        {/* Tab reaches the scrolling list through its checkboxes. */}
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
  const { types } = useData<NewSourceData>();
  return (
    <div className="max-w-2xl">
      <PageHeader crumbs={crumbs} title={t("create.title")}>
        {t("create.intro")}
      </PageHeader>
      <ul className="divide-y divide-line border-line border-y">
        {types.map((one) => (
          <li key={one.type}>
            <a
              href={teamPath(request, `sources/create?type=${one.type}`)}
              className="-mx-3 flex items-start gap-3 rounded-md px-3 py-3.5 transition-colors hover:bg-sunken"
            >
              <SourceIcon type={one} className="mt-0.5 size-5 shrink-0 text-muted" />
              <span className="min-w-0">
                <span className="block font-medium">{t(`source-${one.type}:name`)}</span>
                <span className="block text-muted text-sm">{t(`source-${one.type}:about`)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
