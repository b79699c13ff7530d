// The page of an agent that anyone can ask: its name, and the conversation.
import { BotOff, SquarePen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/Button.tsx";
import { EmptyState } from "../../../components/EmptyState.tsx";
import type { ChatProps } from "../../../islands/Chat.tsx";
import { Island } from "../../../renderer/island.tsx";
import { useData, useRequest } from "../../../renderer/render-context.tsx";
import type { ChatPageData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("chat");
  const { teams, modelsOffline } = useRequest();
  const { agent, chatId, messages, details, readOnly } = useData<ChatPageData>();
  if (!agent) {
    return (
      <div className="grid flex-1 place-content-center px-4">
        <h1 className="sr-only">{t("notThere")}</h1>
        <EmptyState
          icon={<BotOff />}
          title={t("notThere")}
          action={
            <Button href="/" variant="primary">
              {t("app:error.home")}
            </Button>
          }
        >
          {t("notThereText")}
        </EmptyState>
      </div>
    );
  }
  const team = teams.find(({ id }) => id === agent.teamId);
  return (
    <>
      <header className="flex items-center justify-between gap-3 px-4 pt-2.5 pb-1.5">
        <div className="min-w-0">
          <h1 className="truncate font-medium">{agent.name}</h1>
          {agent.description && (
            <p className="truncate text-muted text-sm max-sm:hidden">{agent.description}</p>
          )}
        </div>
        <Button
          href={`/chats/${agent.id}`}
          data-reload
          variant="ghost"
          icon={<SquarePen aria-hidden className="size-4" />}
        >
          <span className="max-sm:sr-only">{t("new")}</span>
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
          details,
          readOnly,
          explains: team !== undefined,
          sourceAddress: team ? `/teams/${team.codename}/source/{sourceId}` : null,
        }}
      />
      <p className="px-4 pb-2 text-center text-muted text-xs">
        {modelsOffline ? t("app:offlineModels") : t("visitorNote", { agentName: agent.name })}
      </p>
    </>
  );
}
