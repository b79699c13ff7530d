// The bar above the playground: which agent is tried, whether two variants are compared, and a new chat. For islands.
import { Columns2, PanelLeft, SquarePen } from "lucide-react";
import { useTranslation } from "#translations";
import { SearchSelect } from "#web/islands/SearchSelect.tsx";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { type Option, Select } from "#web/ui/Select.tsx";

export interface PlaygroundBarProps {
  teamId: string;
  /** The team's agents, or the first of them and the shown one. */
  agents: { options: Option[]; isPartial: boolean };
  agentId: string;
  /** Whether tried settings would be lost with the page. */
  isUnsaved: boolean;
  /** Whether the settings are folded away. */
  collapsed: boolean;
  onToggleSettings(): void;
  /** Opens an agent with a new chat. */
  onOpen(agentId: string): void;
  comparing: boolean;
  /** Absent for readers who may not change the agent. */
  onCompare?: (() => void) | undefined;
}

export function PlaygroundBar(props: PlaygroundBarProps) {
  const { teamId, agents, agentId, isUnsaved, collapsed, comparing, onOpen, onCompare } = props;
  const { t } = useTranslation("playground");
  return (
    <div
      data-unsaved={isUnsaved ? "" : undefined}
      className="flex items-center gap-1 border-line border-b px-3 py-1.5"
    >
      <h1 className="sr-only">{t("title")}</h1>
      <IconButton
        label={t("settings")}
        aria-expanded={!collapsed}
        aria-controls="settings"
        onClick={props.onToggleSettings}
      >
        <PanelLeft aria-hidden className="size-4" />
      </IconButton>
      <div className="min-w-0 flex-1 lg:max-w-72 noscript:hidden">
        {agents.isPartial ? (
          <SearchSelect
            id="playground-agent"
            name="agentId"
            label={t("agent")}
            list="agents"
            teamId={teamId}
            options={agents.options}
            value={agentId}
            onChoose={onOpen}
          />
        ) : (
          <Select
            aria-label={t("agent")}
            value={agentId}
            onChange={({ target }) => onOpen(target.value)}
            options={agents.options}
            className="h-8 truncate font-medium"
          />
        )}
      </div>
      <span className="lg:flex-1" />
      {onCompare && (
        <Button
          type="button"
          variant="ghost"
          aria-pressed={comparing}
          onClick={onCompare}
          icon={<Columns2 aria-hidden className="size-4" />}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
        >
          <span className="max-lg:sr-only">{t("compare")}</span>
        </Button>
      )}
      <Button
        type="button"
        variant="ghost"
        onClick={() => onOpen(agentId)}
        icon={<SquarePen aria-hidden className="size-4" />}
      >
        <span className="max-lg:sr-only">{t("chat:new")}</span>
      </Button>
    </div>
  );
}
