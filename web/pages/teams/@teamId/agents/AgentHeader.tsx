// The header of an agent's pages other than its settings. Server only.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { AgentTabs } from "./AgentTabs.tsx";

export interface AgentHeaderProps {
  agent: { id: string; name: string };
  current: "appearance" | "tests" | "versions";
  /** A page below the tab. */
  below?: string;
  mark?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

export function AgentHeader({ agent, current, below, mark, actions, children }: AgentHeaderProps) {
  const { t } = useTranslation("agentTests");
  const request = useRequest();
  const href = teamPath(request, `agents/${agent.id}`);
  const title = t(`tabs.${current}`);
  return (
    <>
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("agents:list.title"), href: teamPath(request, "agents") },
          { label: agent.name, href },
          ...(below ? [{ label: title, href: `${href}/${current}` }, { label: below }] : [{ label: title }]),
        ]}
        title={below ?? `${agent.name} · ${title}`}
        mark={mark}
        actions={actions}
      >
        {children}
      </PageHeader>
      <AgentTabs agentId={agent.id} current={current} />
    </>
  );
}
