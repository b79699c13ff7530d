// The first ten minutes on one page: files in, and an agent that answers from them. Without JavaScript the field of the files is sent by
// its button, one at a time.
import { documentLanguageOf } from "#locales/registry.ts";
import { useTranslation } from "#translations";
import { type FirstSteps, firstStepsKey } from "../../browser/first-steps.ts";
import { Button } from "../../components/Button.tsx";
import { PageHeader } from "../../components/PageHeader.tsx";
import type { FirstStepsProps } from "../../islands/FirstSteps.tsx";
import { Island } from "../../renderer/island.tsx";
import { useData, useRequest } from "../../renderer/render-context.tsx";
import { currentTeam, may } from "../../server/current-team.ts";

/** What a file goes through until an agent answers from it. */
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

/** What comes before every other step. */
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
