// Asks the user who returns from Slack to confirm that this workspace may use this agent.
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import type { ConfirmInstallData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("apps");
  const request = useRequest();
  const { install, ticket } = useData<ConfirmInstallData>();
  const facts = [
    [t("workspace"), install.workspace.name],
    [t("agent"), install.agent.name],
    [t("confirm.team"), install.team.name],
  ] as const;
  return (
    <div className="max-w-2xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("list.title"), href: teamPath(request, "apps") },
        ]}
        title={t("confirm.title")}
      />
      <p className="text-muted">{t("confirm.text", { workspace: install.workspace.name })}</p>
      <dl className="my-6 grid grid-cols-[8rem_minmax(0,1fr)] gap-y-2 text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <Form>
        <input type="hidden" name="ticket" value={ticket} />
        <div className="flex flex-wrap gap-3">
          <Button variant="primary">{t("confirm.submit")}</Button>
          <Button href={teamPath(request, `apps/${install.appId}`)} variant="secondary">
            {t("confirm.cancel")}
          </Button>
        </div>
      </Form>
    </div>
  );
}
