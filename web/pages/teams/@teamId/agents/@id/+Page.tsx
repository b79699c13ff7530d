// One agent: its instructions, its knowledge bases and a chat with it side by side; its other settings are collapsed.
import { ChartColumn, ExternalLink, FlaskConical, MessagesSquare } from "lucide-react";
import { useTranslation } from "#translations";
import type { ChatProps } from "#web/islands/Chat.tsx";
import { Island } from "#web/render/island.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ChoiceSearch } from "#web/ui/ChoiceSearch.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Section } from "#web/ui/Section.tsx";
import { OverdueSources } from "../../sources/OverdueSources.tsx";
import { AgentTabs } from "../AgentTabs.tsx";
import type { AgentData } from "./+data.ts";
import { AgentEmbed } from "./AgentEmbed.tsx";
import { AgentForm } from "./AgentForm.tsx";
import { AgentOverview } from "./AgentOverview.tsx";
import { AgentShare } from "./AgentShare.tsx";
import { DeleteAgent } from "./DeleteAgent.tsx";

export function Page() {
  const { t } = useTranslation("agents");
  const request = useRequest();
  const { agent, knowledges } = useData<AgentData>();
  const overdue = knowledges.rows.filter(
    ({ id, overdueSources }) => agent.knowledgeIds.includes(id) && overdueSources.length > 0,
  );
  const mayWrite = may(request, "agents.write");
  return (
    <>
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("list.title"), href: teamPath(request, "agents") },
          { label: agent.name },
        ]}
        title={agent.name}
        mark={
          <Badge tone={agent.visibility === "public" ? "good" : "neutral"}>
            {t(`visibility.${agent.visibility}`)}
          </Badge>
        }
        actions={
          <>
            <Button
              href={`${teamPath(request, "chats")}?agentId=${agent.id}`}
              icon={<MessagesSquare aria-hidden className="size-4" />}
            >
              {t("app:nav.chats")}
            </Button>
            {may(request, "insights.read") && (
              <Button
                href={`${teamPath(request, "insights")}?agentId=${agent.id}`}
                icon={<ChartColumn aria-hidden className="size-4" />}
              >
                {t("app:nav.insights")}
              </Button>
            )}
            {agent.visibility === "public" && (
              <Button href={`/chats/${agent.id}`} icon={<ExternalLink aria-hidden className="size-4" />}>
                {t("open")}
              </Button>
            )}
            <Button
              href={`${teamPath(request, "playground")}?agentId=${agent.id}`}
              variant="primary"
              icon={<FlaskConical aria-hidden className="size-4" />}
            >
              {t("try")}
            </Button>
          </>
        }
      >
        {agent.description}
      </PageHeader>
      <AgentTabs agentId={agent.id} current="settings" />
      {mayWrite && overdue.length > 0 && (
        <div className="mb-6 space-y-3">
          {overdue.map((knowledge) => (
            <OverdueSources key={knowledge.id} knowledge={knowledge} isNamed />
          ))}
        </div>
      )}
      <div className="grid grid-cols-1 gap-x-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="min-w-0">
          {mayWrite && <ChoiceSearch choices={knowledges} label={t("anotherKnowledge")} />}
          {mayWrite ? <AgentForm /> : <AgentOverview />}
          <AgentShare />
          {mayWrite && <AgentEmbed />}
          {may(request, "apps.write") && (
            <div className="border-line border-t pt-6">
              <Section title={t("apps:onAgent.title")} description={t("apps:onAgent.text")}>
                <Button href={`${teamPath(request, "apps/create")}?agentId=${agent.id}`}>
                  {t("apps:onAgent.connect")}
                </Button>
              </Section>
            </div>
          )}
          {mayWrite && <DeleteAgent />}
        </div>
        <aside aria-label={t("conversation")} className="max-lg:mt-10">
          <div className="flex h-[36rem] flex-col rounded-md border border-line lg:sticky lg:top-8 lg:h-[calc(100dvh-17.5rem)]">
            <Island<ChatProps>
              name="Chat"
              load="visible"
              props={{
                agent: {
                  id: agent.id,
                  name: agent.name,
                  greeting: agent.greeting,
                  suggestedPrompts: agent.suggestedPrompts,
                },
                chatId: null,
                channel: "playground",
                messages: [],
                address: null,
                sourceAddress: teamPath(request, "source/{sourceId}"),
              }}
            />
          </div>
        </aside>
      </div>
    </>
  );
}
