// The first steps, as a checklist that ticks itself.
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { PageHeader } from "../../components/PageHeader.tsx";
import { useData, useRequest } from "../../renderer/render-context.tsx";
import { teamPath } from "../../server/current-team.ts";
import type { OnboardingData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("onboarding");
  const request = useRequest();
  const { knowledges, agents, asked, agent, shared } = useData<OnboardingData>();
  const steps = [
    { key: "knowledge", done: knowledges > 0, href: teamPath(request, "knowledges") },
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
        {steps.map(({ key, done, href }, index) => (
          <li
            key={key}
            className="flex items-center gap-4 py-4"
            aria-current={next?.key === key ? "step" : undefined}
          >
            <span
              className={`grid size-7 shrink-0 place-items-center rounded-full border text-sm ${done ? "border-transparent bg-good-soft text-good" : "border-line-strong text-muted"}`}
            >
              {done ? <Check aria-hidden className="size-4" /> : index + 1}
              {done && <span className="sr-only">{t("done")}</span>}
            </span>
            <div className="min-w-0 flex-1">
              <h2 className={`font-medium ${done ? "text-muted" : ""}`}>{t(`${key}.title`)}</h2>
              <p className="text-muted text-sm">{t(`${key}.text`)}</p>
            </div>
            <Button href={href} variant={next?.key === key ? "primary" : "ghost"}>
              {t(done ? `${key}.again` : `${key}.action`)}
            </Button>
          </li>
        ))}
      </ol>
    </div>
  );
}
