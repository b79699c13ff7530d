// The first steps on one page: from uploaded files to an agent that answers from them. Without JavaScript the form
// uploads one file at a time.
import { documentLanguageOf } from "#locales/registry.ts";
import { useTranslation } from "#translations";
import type { FirstStepsProps } from "../../islands/FirstSteps.tsx";
import { Island } from "../../render/island.tsx";
import { useData, useRequest } from "../../render/render-context.tsx";
import { currentTeam, may } from "../../request/current-team.ts";
import { Button } from "../../ui/Button.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { type FirstSteps, firstStepsKey } from "./first-steps.ts";

/** Permissions needed to go from a file to an agent that answers from it. */
const needed = ["files.write", "sources.write", "knowledges.write", "agents.write"];

export function Page() {
  const { t } = useTranslation("onboarding");
  const request = useRequest();
  const steps = useData<FirstSteps | null>();
  if (!steps) return <FirstTeam />;
  const { id: teamId, codename } = currentTeam(request);
  const mayAdd = needed.every((permission) => may(request, permission));
  return (
    <div className="max-w-3xl">
      <PageHeader title={t("title")}>{t(mayAdd ? "intro" : "notYours")}</PageHeader>
      <form method="post" action="/onboarding/file" encType="multipart/form-data" data-reload>
        <Island<FirstStepsProps>
          name="FirstSteps"
          props={{
            teamId,
            language: documentLanguageOf(request.locale),
            locale: request.locale,
            team: `/teams/${codename}`,
            mayAdd,
          }}
          seed={[{ key: firstStepsKey(teamId), data: steps }]}
        />
        {mayAdd && (
          <div className="mt-3 hidden noscript:block">
            <Button variant="primary">{t("add")}</Button>
          </div>
        )}
      </form>
      <Button href="/dashboard" variant="ghost" className="-ml-3 mt-8">
        {t("toDashboard")}
      </Button>
    </div>
  );
}

/** The step before all others: creating a team. */
function FirstTeam() {
  const { t } = useTranslation("onboarding");
  return (
    <div className="max-w-2xl">
      <PageHeader title={t("title")}>{t("team.text")}</PageHeader>
      <Button href="/teams/create" variant="primary">
        {t("team.action")}
      </Button>
    </div>
  );
}
