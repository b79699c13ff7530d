// Two panels: an agent's settings on the left, a chat with it on the right. Changes apply to the reader's next question
// at once, affect nobody else, and are saved only on request; two variants can be asked the same question.
import { useCallback, useRef, useState } from "react";
import { Group, type GroupImperativeHandle, Panel, type PanelImperativeHandle } from "react-resizable-panels";
import { useTranslation } from "#translations";
import { visit } from "../client/page.ts";
import { keepPanelSizes, type PanelSizes, roomFor } from "../client/panel-sizes.ts";
import type { ChatMessage } from "../pages/chats/chat.ts";
import type { OfflineNoteProps } from "../pages/teams/@teamId/models/OfflineNote.tsx";
import { Comparison } from "../pages/teams/@teamId/playground/Comparison.tsx";
import { PlaygroundBar } from "../pages/teams/@teamId/playground/PlaygroundBar.tsx";
import { SettingsForm } from "../pages/teams/@teamId/playground/SettingsForm.tsx";
import { useSaving } from "../pages/teams/@teamId/playground/use-saving.ts";
import {
  type AgentSettings,
  useTrial,
  type VariantName,
} from "../pages/teams/@teamId/playground/use-trial.ts";
import { ResizeHandle } from "../ui/ResizeHandle.tsx";
import { ScrollArea } from "../ui/ScrollArea.tsx";
import type { Option } from "../ui/Select.tsx";
import { TabList, tabPanel } from "../ui/TabList.tsx";
import { Chat } from "./Chat.tsx";

export interface PlaygroundProps {
  teamId: string;
  /** Address of the playground. */
  path: string;
  /** The team's agents, or the first of them and the shown one. */
  agents: { options: Option[]; isPartial: boolean };
  agent: { id: string; name: string; greeting: string; suggestedPrompts: string[] } & AgentSettings & {
      version: string;
    };
  /** Whether the reader may change the agent. */
  editable: boolean;
  /** The team's knowledge bases, or the first of them and the agent's. Null for readers who may not see them. */
  knowledges: { options: Option[]; isPartial: boolean } | null;
  /** Null unless the built-in model answers. */
  offlineNote: OfflineNoteProps | null;
  chatId: string | null;
  messages: ChatMessage[];
  sourceAddress: string;
  /** The stored widths of the panels; null when nobody has moved them. */
  sizes: PanelSizes | null;
}

Playground.namespaces = ["playground", "chat", "errors", "passages", "inputs"];

const PANELS = ["settings", "conversation"] as const;
const FIRST_SIZES: PanelSizes = { settings: 34, conversation: 66 };
const VARIANTS = ["a", "b"] as const satisfies VariantName[];

export function Playground(props: PlaygroundProps) {
  const { teamId, path, agents, agent, editable, knowledges, chatId, messages, sourceAddress } = props;
  const { instructions, temperature, retrieval, knowledgeIds } = agent;
  const { t } = useTranslation("playground");
  const sizes = props.sizes ?? FIRST_SIZES;
  const group = useRef<GroupImperativeHandle>(null);
  const settingsPanel = useRef<PanelImperativeHandle>(null);
  const [collapsed, setCollapsed] = useState(sizes.settings === 0);
  // A narrow screen shows one panel at a time.
  const [inSettings, setInSettings] = useState(false);
  const [variant, setVariant] = useState<VariantName>("a");
  const trial = useTrial(agent.id, { instructions, temperature, retrieval, knowledgeIds }, agent.version);
  const { saving, changed, save, discard } = useSaving({ teamId, id: agent.id }, trial);
  const comparing = trial.variants.b !== null;
  const shown: VariantName = comparing ? variant : "a";
  const settings = trial.variants[shown] ?? trial.variants.a;
  const unsaved = trial.unsavedSettings(shown);
  const agentAddress = `${path}?agentId=${agent.id}`;

  const current = useRef(trial);
  current.current = trial;
  const draft = useCallback(() => (editable ? current.current.unsavedSettings("a") : undefined), [editable]);

  function toggleSettings() {
    if (matchMedia("(width < 64rem)").matches) return setInSettings(!inSettings);
    const { current: panel } = settingsPanel;
    if (panel?.isCollapsed()) panel.expand();
    else panel?.collapse();
  }
  function toggleComparison() {
    trial.compare(!comparing);
    setVariant(comparing ? "a" : "b");
  }

  return (
    <>
      <PlaygroundBar
        teamId={teamId}
        agents={agents}
        agentId={agent.id}
        isUnsaved={editable && trial.unsavedSettings("a") !== undefined}
        collapsed={collapsed}
        onToggleSettings={toggleSettings}
        onOpen={(agentId) => visit(`${path}?agentId=${agentId}`)}
        comparing={comparing}
        onCompare={editable ? toggleComparison : undefined}
      />
      <Group
        orientation="horizontal"
        groupRef={group}
        defaultLayout={sizes}
        onLayoutChanged={(layout) => keepPanelSizes("playground", PANELS, layout)}
        style={roomFor(sizes.conversation)}
        className={`min-h-0 flex-1 lg:not-has-[>#conversation]:keeps-room ${inSettings ? "max-lg:[&>#conversation]:hidden!" : "max-lg:[&>#settings]:hidden!"}`}
      >
        <Panel
          id="settings"
          panelRef={settingsPanel}
          collapsible
          defaultSize={`${sizes.settings}%`}
          minSize="22%"
          onResize={({ asPercentage }) => setCollapsed(asPercentage === 0)}
          className="flex min-h-0 flex-col"
        >
          <ScrollArea className="flex min-h-0 flex-1 flex-col">
            {comparing && (
              <TabList<VariantName>
                label={t("variants")}
                tabs={VARIANTS.map((name) => ({ name, label: t(`variant.${name}`) }))}
                chosen={shown}
                onChoose={setVariant}
                panelId="variant"
                className="px-5 pt-3"
              />
            )}
            <div {...(comparing ? tabPanel("variant", shown) : {})} className="flex flex-1 flex-col">
              <SettingsForm
                settings={settings}
                newer={changed && unsaved ? { settings: trial.saved, href: agentAddress } : undefined}
                teamId={teamId}
                knowledges={knowledges}
                offlineNote={props.offlineNote}
                dirty={unsaved !== undefined}
                saving={saving}
                editable={editable}
                onChange={(part) => trial.change(shown, part)}
                onSave={() => void save(settings)}
                onDiscard={() => discard(shown)}
              />
            </div>
          </ScrollArea>
        </Panel>
        <ResizeHandle group={group} between={PANELS} label={t("resize")} className="max-lg:hidden" />
        <Panel
          id="conversation"
          defaultSize={`${sizes.conversation}%`}
          minSize="30%"
          className="flex min-h-0 flex-col"
        >
          {comparing && <Comparison agent={agent} trial={trial} sourceAddress={sourceAddress} />}
          {/* Stays mounted while two variants are compared. */}
          <div className={comparing ? "hidden" : "flex min-h-0 flex-1 flex-col"}>
            <Chat
              agent={agent}
              chatId={chatId}
              channel="playground"
              messages={messages}
              address={`${agentAddress}&chatId={chatId}`}
              sourceAddress={sourceAddress}
              explains
              draft={draft}
            />
          </div>
        </Panel>
      </Group>
    </>
  );
}
