// A team's models: which ones answer, their usage, and the budget.
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may } from "#web/request/current-team.ts";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import type { ModelsData } from "./+data.ts";
import { Budget } from "./Budget.tsx";
import { ModelRoles } from "./ModelRoles.tsx";
import { Usage } from "./Usage.tsx";

export function Page() {
  const { t } = useTranslation("models");
  const request = useRequest();
  const team = currentTeam(request);
  const { models } = useData<ModelsData>();
  return (
    <>
      <PageHeader
        crumbs={[{ label: team.name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
      >
        {t("intro")}
      </PageHeader>
      <ModelRoles models={models} mayChange={may(request, "models.write")} local={[]} />
      <Budget />
      <Usage />
    </>
  );
}
