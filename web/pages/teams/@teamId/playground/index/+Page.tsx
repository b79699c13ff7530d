// The playground: an agent's settings on the left, the chat on the right.

import { Bot } from "lucide-react";
import { useTranslation } from "#translations";
import { panelCookie, panelSizes } from "#web/client/panel-sizes.ts";
import type { PlaygroundProps } from "#web/islands/Playground.tsx";
import { Island } from "#web/render/island.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { OfferedButton } from "#web/ui/OfferedButton.tsx";
import { useOfflineNote } from "../../models/use-offline-note.ts";
import type { PlaygroundData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("playground");
  const request = useRequest();
  const offlineNote = useOfflineNote();
  const { agents, agent, knowledges, isOffline, chatId, messages } = useData<PlaygroundData>();
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
          {t(may(request, "agents.write") ? "emptyText" : "agents:list.emptyRead")}
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
        agents: { options: agents.options, isPartial: agents.isPartial },
        agent: {
          id: agent.id,
          name: agent.name,
          greeting: agent.greeting,
          suggestedPrompts: agent.suggestedPrompts,
          instructions: agent.instructions ?? "",
          temperature: agent.temperature,
          retrieval: agent.retrieval,
          knowledgeIds: agent.knowledgeIds,
          version: agent.version,
        },
        editable: may(request, "agents.write"),
        knowledges: may(request, "knowledges.read")
          ? { options: knowledges.options, isPartial: knowledges.isPartial }
          : null,
        offlineNote: isOffline ? offlineNote : null,
        chatId,
        messages,
        sourceAddress: teamPath(request, "source/{sourceId}"),
        sizes: panelSizes(request.cookies.get(panelCookie("playground")), ["settings", "conversation"]),
      }}
    />
  );
}
