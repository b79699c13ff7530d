// Try an agent: its settings at the left, the conversation at the right.

import { Bot } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../../../../components/EmptyState.tsx";
import { OfferedButton } from "../../../../../components/OfferedButton.tsx";
import type { PlaygroundProps } from "../../../../../islands/Playground.tsx";
import { Island } from "../../../../../renderer/island.tsx";
import { useData, useRequest } from "../../../../../renderer/render-context.tsx";
import { currentTeam, may, teamPath } from "../../../../../server/current-team.ts";
import type { PlaygroundData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("playground");
  const request = useRequest();
  const { agents, agent, knowledges, chatId, messages } = useData<PlaygroundData>();
  if (!agent) {
    return (
      <>
        <h1 className="sr-only">{t("title")}</h1>
        <EmptyState
          icon={<Bot />}
          title={t("empty")}
          action={
            <OfferedButton href={teamPath(request, "agents/create")} variant="primary">
              {t("createAgent")}
            </OfferedButton>
          }
        >
          {t("emptyText")}
        </EmptyState>
      </>
    );
  }
  return (
    <Island<PlaygroundProps>
      name="Playground"
      props={{
        teamId: currentTeam(request).id,
        path: teamPath(request, "playground"),
        agents,
        agent: {
          id: agent.id,
          name: agent.name,
          greeting: agent.greeting,
          suggestedPrompts: agent.suggestedPrompts,
          instructions: agent.instructions ?? "",
          temperature: agent.temperature,
          retrieval: agent.retrieval,
          knowledgeIds: agent.knowledgeIds,
        },
        editable: may(request, "agents.write"),
        knowledges,
        chatId,
        messages,
        sourceAddress: teamPath(request, "source/{sourceId}"),
      }}
    />
  );
}
