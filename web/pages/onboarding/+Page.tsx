// The first steps, as a checklist that ticks itself.
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { PageHeader } from "../../components/PageHeader.tsx";
import { useData, useRequest } from "../../renderer/render-context.tsx";
import { may, teamPath } from "../../server/current-team.ts";
import type { OnboardingData } from "./+data.ts";
import { FirstKnowledge } from "./FirstKnowledge.tsx";

export function Page() {
  const { t } = useTranslation("onboarding");
  const request = useRequest();
  const { known, agents, asked, agent, shared } = useData<OnboardingData>();
  const steps = [
    { key: "knowledge", done: known, href: teamPath(request, "knowledges") },
    { key: "agent", done: agents > 0, href: teamPath(request, "agents/create") },
    {
      key: "ask",
      done: asked,
      href: `${teamPath(request, "playground")}${agent ? `?agentId=${agent.id}` : ""}`,
    },
    {
      key: "share",
      done: shared,
      href: teamPath(request, agent ? `agents/${agent.id}${shared ? "" : "?share"}` : "agents"),
    },
  ];
  const next = steps.find(({ done }) => !done);
  const count = steps.filter(({ done }) => done).length;
  return (
    <div className="max-w-2xl">
      <PageHeader title={t(next ? "title" : "doneTitle")}>
        {t("progress", { count, total: steps.length })}
      </PageHeader>
      <ol className="divide-y divide-line border-line border-y">
        {steps.map(({ key, done, href }, index) => {
          // Brought in right here: nobody has to leave for the page of knowledge.
          const here = key === "knowledge" && !done && may(request, "knowledges.write");
          return (
            <li
              key={key}
              className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 py-4 sm:gap-y-3 sm:grid-cols-[auto_minmax(0,1fr)_auto]"
              aria-current={next?.key === key ? "step" : undefined}
            >
              <span
                className={`grid size-7 shrink-0 place-items-center self-start rounded-full border text-sm ${done ? "border-transparent bg-good-soft text-good" : next?.key === key ? "border-accent text-accent-ink" : "border-line-strong text-muted"}`}
              >
                {done ? <Check aria-hidden className="size-4" /> : index + 1}
                {done && <span className="sr-only">{t("done")}</span>}
              </span>
              <div className={`min-w-0 ${here ? "sm:col-span-2" : ""}`}>
                <h2 className={`font-medium ${done ? "text-muted" : ""}`}>{t(`${key}.title`)}</h2>
                <p className="text-muted text-sm">{t(here ? `${key}.here` : `${key}.text`)}</p>
              </div>
              {here ? (
                <div className="col-start-2 sm:col-span-2">
                  <FirstKnowledge />
                </div>
              ) : (
                <div className="max-sm:col-start-2">
                  <Button
                    href={href}
                    variant={next?.key === key ? "primary" : "ghost"}
                    className={next?.key === key ? "" : "max-sm:-ml-3"}
                  >
                    {t(done ? `${key}.again` : `${key}.action`)}
                  </Button>
                </div>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
