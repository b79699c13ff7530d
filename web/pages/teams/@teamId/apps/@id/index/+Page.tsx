// One app: its connection, the agent that answers, the channels, and who may ask.
import { ExternalLink, RefreshCw, Unplug } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ChoiceSearch } from "#web/ui/ChoiceSearch.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormChoice } from "#web/ui/FormChoice.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Section } from "#web/ui/Section.tsx";
import { AppStatus } from "../../AppStatus.tsx";
import { AudienceField } from "../../AudienceField.tsx";
import type { AppData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("apps");
  const request = useRequest();
  const { app, agents, result } = useData<AppData>();
  const mayChange = may(request, "apps.write");
  const agent = agents.rows.find(({ id }) => id === app.agentId);
  const isConnected = app.status === "connected";
  return (
    <div className="max-w-2xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("list.title"), href: teamPath(request, "apps") },
          { label: app.name },
        ]}
        title={app.name}
        mark={<AppStatus status={app.status} />}
      />
      {result && (
        <div className="mb-6">
          <Alert tone={result === "connected" ? "good" : "careful"} title={t(`result.${result}.title`)}>
            {t(`result.${result}.text`, { workspace: app.workspace?.name ?? "Slack" })}
          </Alert>
        </div>
      )}
      <Section
        title={t("connection.title")}
        actions={
          mayChange && (
            <Button
              href={teamPath(request, `apps/${app.id}/install`)}
              variant={isConnected ? "secondary" : "primary"}
              icon={
                isConnected ? (
                  <RefreshCw aria-hidden className="size-4" />
                ) : (
                  <ExternalLink aria-hidden className="size-4" />
                )
              }
            >
              {t(`connection.do.${app.status}`)}
            </Button>
          )
        }
      >
        <p className="text-muted">
          {t(`connection.text.${app.status}`, { workspace: app.workspace?.name ?? "" })}
        </p>
        <dl className="mt-4 grid grid-cols-[8rem_minmax(0,1fr)] gap-y-2 text-sm">
          <dt className="text-muted">{t("workspace")}</dt>
          <dd className="truncate">{app.workspace?.name ?? t("connection.none")}</dd>
          <dt className="text-muted">{t("agent")}</dt>
          <dd className="truncate">
            <a className="underline underline-offset-2" href={teamPath(request, `agents/${app.agentId}`)}>
              {agent?.name ?? t("connection.itsAgent")}
            </a>
          </dd>
          {app.connectedAt && (
            <>
              <dt className="text-muted">{t("connection.since")}</dt>
              <dd>
                <DateTime value={app.connectedAt} />
              </dd>
            </>
          )}
        </dl>
      </Section>
      {isConnected && (
        <Section title={t("use.title")}>
          <ul className="list-disc space-y-1.5 ps-5 text-muted">
            <li>{t("use.mention")}</li>
            <li>{t("use.direct")}</li>
            <li>{t("use.named", { agent: agent?.name ?? "" })}</li>
          </ul>
        </Section>
      )}
      {mayChange && (
        <>
          <Section title={t("settings")}>
            <ChoiceSearch choices={agents} label={t("agent")} />
            <Form version={app.version}>
              <FormField name="name" label={t("name")} required maxLength={200} defaultValue={app.name} />
              <FormChoice
                name="agentId"
                label={t("agent")}
                hint={t("agentHint")}
                defaultValue={app.agentId}
                choices={agents}
              />
              <FormField
                name="channels"
                label={t("channels.label")}
                hint={t("channels.hint")}
                aside={t("app:optional")}
                placeholder={t("channels.example")}
                defaultValue={app.channels.join(", ")}
              />
              <AudienceField value={app.audience} />
              <Button variant="primary">{t("app:save")}</Button>
            </Form>
          </Section>
          <Section title={t("delete.section")} description={t("delete.sectionText")}>
            <ConfirmDialog
              id="delete-app"
              form="delete"
              icon={<Unplug aria-hidden className="size-4" />}
              label={t("delete.button")}
              title={t("delete.title", { name: app.name })}
              confirm={t("delete.confirm")}
            >
              {t("delete.text")}
            </ConfirmDialog>
          </Section>
        </>
      )}
    </div>
  );
}
