// The page of an agent that anyone can ask: its name, and the conversation.
import { SquarePen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/Button.tsx";
import type { ChatProps } from "../../../islands/Chat.tsx";
import { Island } from "../../../renderer/island.tsx";
import { useData, useRequest } from "../../../renderer/render-context.tsx";
import type { ChatPageData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("chat");
  const { teams, modelsOffline } = useRequest();
  const { agent, chatId, messages } = useData<ChatPageData>();
  const team = teams.find(({ id }) => id === agent.teamId);
  return (
    <>
      <header className="flex items-center justify-between gap-3 border-line border-b px-4 py-2.5">
        <div className="min-w-0">
          <h1 className="truncate font-medium">{agent.name}</h1>
          {agent.description && <p className="truncate text-muted text-sm">{agent.description}</p>}
        </div>
        <Button
          href={`/chats/${agent.id}`}
          data-reload
          variant="ghost"
          icon={<SquarePen aria-hidden className="size-4" />}
        >
          {t("new")}
        </Button>
      </header>
      <Island<ChatProps>
        name="Chat"
        props={{
          agent: {
            id: agent.id,
            name: agent.name,
            greeting: agent.greeting,
            suggestedPrompts: agent.suggestedPrompts,
          },
          chatId,
          channel: "web",
          messages,
          address: `/chats/${agent.id}?chatId={chatId}`,
          sourceAddress: team ? `/teams/${team.codename}/source/{sourceId}` : null,
        }}
      />
      <p className="px-4 pb-2 text-center text-muted text-xs">
        {modelsOffline ? t("app:offlineModels") : t("visitorNote", { agentName: agent.name })}
      </p>
    </>
  );
}
