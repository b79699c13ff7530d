// The first step where it stands: files are dropped or chosen, then read, and the step ticks itself. Without JavaScript the
// same field is sent by its button.
import { useTranslation } from "react-i18next";
import { taskKey } from "../../browser/task-state.ts";
import { Button } from "../../components/Button.tsx";
import type { NewKnowledgeProps } from "../../islands/NewKnowledge.tsx";
import type { TaskProgressProps } from "../../islands/TaskProgress.tsx";
import { Island } from "../../renderer/island.tsx";
import { useData, useRequest } from "../../renderer/render-context.tsx";
import { currentTeam, teamPath } from "../../server/current-team.ts";
import type { OnboardingData } from "./+data.ts";

export function FirstKnowledge() {
  const { t } = useTranslation("onboarding");
  const request = useRequest();
  const { waiting, task } = useData<OnboardingData>();
  const teamId = currentTeam(request).id;
  if (task) {
    return (
      <Island<TaskProgressProps>
        name="TaskProgress"
        props={{ teamId, taskId: task.id, address: "/onboarding" }}
        seed={[{ key: taskKey(task.id), data: task }]}
      />
    );
  }
  return (
    <>
      {waiting && (
        <p className="mb-3 text-sm">
          {t("knowledge.unread", { name: waiting.name })}{" "}
          <a
            href={teamPath(request, `knowledges/${waiting.id}`)}
            className="text-accent-ink underline underline-offset-2"
          >
            {t("knowledge.why")}
          </a>
        </p>
      )}
      <form method="post" action="/onboarding/file" encType="multipart/form-data" data-reload>
        <Island<NewKnowledgeProps>
          name="NewKnowledge"
          props={{ teamId, language: request.locale, after: "/onboarding", name: "file" }}
        />
        <div className="mt-3 hidden noscript:block">
          <Button variant="primary">{t("knowledge.action")}</Button>
        </div>
      </form>
    </>
  );
}
