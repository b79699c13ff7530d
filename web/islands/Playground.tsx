// Two panels: an agent's settings on the left, a chat with it on the right. Changes apply to the reader's next question
// at once, affect nobody else, and are saved only on request; two variants can be asked the same question.
import { Columns2, PanelLeft, SquarePen } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { Group, type GroupImperativeHandle, Panel, type PanelImperativeHandle } from "react-resizable-panels";
import { useTranslation } from "#translations";
import { CallFailure, failureToast, getApi, sendApi } from "../client/call-api.ts";
import { isChangedMeanwhile } from "../client/failure-words.ts";
import { showToast, visit } from "../client/page.ts";
import { keepPanelSizes, type PanelSizes, roomFor } from "../client/panel-sizes.ts";
import type { ChatMessage } from "../pages/chats/chat.ts";
import type { OfflineNoteProps } from "../pages/teams/@teamId/models/OfflineNote.tsx";
import { Comparison } from "../pages/teams/@teamId/playground/Comparison.tsx";
import { SettingsForm } from "../pages/teams/@teamId/playground/SettingsForm.tsx";
import {
  type AgentSettings,
  useTrial,
  type VariantName,
} from "../pages/teams/@teamId/playground/use-trial.ts";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { ResizeHandle } from "../ui/ResizeHandle.tsx";
import { ScrollArea } from "../ui/ScrollArea.tsx";
import { type Option, Select } from "../ui/Select.tsx";
import { TabList, tabPanel } from "../ui/TabList.tsx";
import { Chat } from "./Chat.tsx";
import { SearchSelect } from "./SearchSelect.tsx";

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
const agentPath = "/v1/teams/{teamId}/agents/{id}";
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
  const [saving, setSaving] = useState(false);
  // Somebody else has saved the agent: their settings are shown next to those being tried, until either is kept.
  const [changed, setChanged] = useState(false);
  const trial = useTrial(agent.id, { instructions, temperature, retrieval, knowledgeIds }, agent.version);
  const comparing = trial.variants.b !== null;
  const shown: VariantName = comparing ? variant : "a";
  const settings = trial.variants[shown] ?? trial.variants.a;
  const unsaved = trial.unsavedSettings(shown);

  const open = (agentId: string) => visit(`${path}?agentId=${agentId}`);

  const current = useRef(trial);
  current.current = trial;
  const draft = useCallback(() => (editable ? current.current.unsavedSettings("a") : undefined), [editable]);

  async function save() {
    setSaving(true);
    try {
      const place = { teamId, id: agent.id };
      const { version } = await sendApi("PUT", agentPath, place, settings, trial.version);
      trial.markSaved(settings, version);
      setChanged(false);
      showToast({ title: t("saved") });
    } catch (error) {
      if (error instanceof CallFailure && isChangedMeanwhile(error)) await showNewer();
      else showToast(failureToast(error, t));
    } finally {
      setSaving(false);
    }
  }
  async function showNewer() {
    try {
      const { version, ...newer } = await getApi(agentPath, { teamId, id: agent.id });
      const { instructions, temperature, retrieval, knowledgeIds } = newer;
      trial.markSaved({ instructions, temperature, retrieval, knowledgeIds }, version);
      setChanged(true);
    } catch (error) {
      showToast(failureToast(error, t));
    }
  }
  function discard(name: VariantName) {
    const tried = trial.variants[name];
    trial.discard(name);
    if (tried) {
      showToast({ title: t("discarded"), undo: () => current.current.change(name, tried) });
    }
  }
  function toggleSettings() {
    if (matchMedia("(width < 64rem)").matches) return setInSettings(!inSettings);
    const { current: panel } = settingsPanel;
    if (panel?.isCollapsed()) panel.expand();
    else panel?.collapse();
  }

  return (
    <>
      <div
        data-unsaved={editable && trial.unsavedSettings("a") ? "" : undefined}
        className="flex items-center gap-1 border-line border-b px-3 py-1.5"
      >
        <h1 className="sr-only">{t("title")}</h1>
        <IconButton
          label={t("settings")}
          aria-expanded={!collapsed}
          aria-controls="settings"
          onClick={toggleSettings}
        >
          <PanelLeft aria-hidden className="size-4" />
        </IconButton>
        <div className="min-w-0 flex-1 lg:max-w-72">
          {agents.isPartial ? (
            <SearchSelect
              id="playground-agent"
              name="agentId"
              label={t("agent")}
              list="agents"
              teamId={teamId}
              options={agents.options}
              value={agent.id}
              onChoose={open}
            />
          ) : (
            <Select
              aria-label={t("agent")}
              value={agent.id}
              onChange={({ target }) => open(target.value)}
              options={agents.options}
              className="h-8 truncate font-medium"
            />
          )}
        </div>
        <span className="lg:flex-1" />
        {editable && (
          <Button
            type="button"
            variant="ghost"
            aria-pressed={comparing}
            onClick={() => {
              trial.compare(!comparing);
              setVariant(comparing ? "a" : "b");
            }}
            icon={<Columns2 aria-hidden className="size-4" />}
            className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
          >
            <span className="max-lg:sr-only">{t("compare")}</span>
          </Button>
        )}
        <Button
          type="button"
          variant="ghost"
          onClick={() => open(agent.id)}
          icon={<SquarePen aria-hidden className="size-4" />}
        >
          <span className="max-lg:sr-only">{t("chat:new")}</span>
        </Button>
      </div>
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
                newer={
                  changed && unsaved
                    ? { settings: trial.saved, href: `${path}?agentId=${agent.id}` }
                    : undefined
                }
                teamId={teamId}
                knowledges={knowledges}
                offlineNote={props.offlineNote}
                dirty={unsaved !== undefined}
                saving={saving}
                editable={editable}
                onChange={(part) => trial.change(shown, part)}
                onSave={() => void save()}
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
              address={`${path}?agentId=${agent.id}&chatId={chatId}`}
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
