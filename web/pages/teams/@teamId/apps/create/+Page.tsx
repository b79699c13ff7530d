// Creates an app: its agent, its name and who may ask. Connecting Slack is the next step.

import { Bot } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { ChoiceSearch } from "#web/ui/ChoiceSearch.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormChoice } from "#web/ui/FormChoice.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { OfferedButton } from "#web/ui/OfferedButton.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { AudienceField } from "../AudienceField.tsx";
import type { CreateAppData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("apps");
  const request = useRequest();
  const { agents, agentId } = useData<CreateAppData>();
  return (
    <div className="max-w-xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("list.title"), href: teamPath(request, "apps") },
          { label: t("create.title") },
        ]}
        title={t("create.title")}
      >
        {t("create.intro")}
      </PageHeader>
      <ChoiceSearch choices={agents} label={t("agent")} />
      {agents.options.length === 0 ? (
        <EmptyState
          icon={<Bot />}
          title={t("create.noAgentTitle")}
          action={
            <OfferedButton href={teamPath(request, "agents/create")} variant="primary">
              {t("create.makeAgent")}
            </OfferedButton>
          }
        >
          {t("create.noAgentText")}
        </EmptyState>
      ) : (
        <Form>
          <FormChoice
            name="agentId"
            label={t("agent")}
            hint={t("create.agentHint")}
            defaultValue={agentId}
            choices={agents}
          />
          <FormField
            name="name"
            label={t("name")}
            hint={t("create.nameHint")}
            aside={t("app:optional")}
            maxLength={200}
          />
          <AudienceField value="members" />
          <div className="flex gap-2 pt-1">
            <Button variant="primary">{t("create.submit")}</Button>
            <Button href={teamPath(request, "apps")} variant="ghost">
              {t("app:cancel")}
            </Button>
          </div>
        </Form>
      )}
    </div>
  );
}
