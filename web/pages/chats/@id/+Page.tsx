// The public page of an agent: the chat under the agent's own header, in its colour.
import { BotOff } from "lucide-react";
import { useTranslation } from "#translations";
import type { ChatProps } from "#web/islands/Chat.tsx";
import { Island } from "#web/render/island.tsx";
import { useData, useFrame, useRequest } from "#web/render/render-context.tsx";
import { Button } from "#web/ui/Button.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { Branded } from "../Branded.tsx";
import { shownName } from "../shown-name.ts";
import type { ChatPageData } from "./+data.ts";
import { ChatFoot } from "./ChatFoot.tsx";

export function Page() {
  const { t } = useTranslation("chat");
  const { teams } = useRequest();
  const { modelsOffline, team: current } = useFrame();
  const { agent, address, chatId, messages, details, readOnly } = useData<ChatPageData>();
  if (!agent) {
    return (
      <>
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
        <ChatFoot />
      </>
    );
  }
  const team = teams.find(({ id }) => id === agent.teamId);
  const name = shownName(agent);
  const { description } = agent;
  return (
    <>
      <Branded color={agent.appearance.color}>
        <Island<ChatProps>
          name="Chat"
          props={{
            agent: { id: agent.id, name, greeting: agent.greeting, suggestedPrompts: agent.suggestedPrompts },
            top: { name, picture: agent.avatar, description, newHref: address },
            chatId,
            channel: "web",
            messages,
            address: `${address}?chatId={chatId}`,
            details,
            readOnly,
            explains: team !== undefined,
            testsAddress: team?.permissions.includes("agents.write")
              ? `/teams/${team.codename}/agents/${agent.id}/tests`
              : undefined,
            sourceAddress: team ? `/teams/${team.codename}/source/{sourceId}` : null,
          }}
        />
      </Branded>
      {/* A team may have connected a model, which only its members are told. */}
      <ChatFoot agentName={name} isOffline={modelsOffline && current?.id === agent.teamId} />
    </>
  );
}
