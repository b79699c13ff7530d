// The tabs of an agent's pages. Server only.
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { may, teamPath } from "#web/request/current-team.ts";
import { Tabs } from "#web/ui/Tabs.tsx";

const tabs = { settings: "", appearance: "/appearance", tests: "/tests", versions: "/versions" };

export function AgentTabs({ agentId, current }: { agentId: string; current: keyof typeof tabs }) {
  const { t } = useTranslation("agentTests");
  const request = useRequest();
  return (
    <Tabs
      label={t("tabs.label")}
      tabs={Object.entries(tabs)
        .filter(([name]) => name !== "appearance" || may(request, "agents.write"))
        .map(([name, path]) => ({
          label: t(`tabs.${name}`),
          href: `${teamPath(request, `agents/${agentId}`)}${path}`,
          current: name === current,
        }))}
    />
  );
}
