// Two panels: an agent's settings at the left, a conversation with it at the right. What is changed counts at once for
// the next question, for nobody else, and is saved on purpose; two variants can be asked the same question.
import { Columns2, PanelLeft, SquarePen } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  Group,
  type GroupImperativeHandle,
  Panel,
  type PanelImperativeHandle,
  useDefaultLayout,
} from "react-resizable-panels";
import { CallFailure, sendApi } from "../browser/call-api.ts";
import type { ChatMessage } from "../browser/chat.ts";
import { showToast, visit } from "../browser/page.ts";
import { type AgentSettings, useTrial, type VariantName } from "../browser/use-trial.ts";
import { Comparison } from "../components/playground/Comparison.tsx";
import { ResizeHandle } from "../components/playground/ResizeHandle.tsx";
import { SettingsForm } from "../components/playground/SettingsForm.tsx";
import { ScrollArea } from "../components/ScrollArea.tsx";
import { Chat } from "./Chat.tsx";

export interface PlaygroundProps {
  teamId: string;
  /** Address of the playground. */
  path: string;
  agents: { id: string; name: string }[];
  agent: { id: string; name: string; greeting: string; suggestedPrompts: string[] } & AgentSettings;
  /** Whether the reader may change the agent. */
  editable: boolean;
  knowledges: { id: string; name: string; status: string }[];
  chatId: string | null;
  messages: ChatMessage[];
  sourceAddress: string;
}

Playground.namespaces = ["playground", "chat", "errors", "passages"];

const noStorage = { getItem: () => null, setItem: () => undefined };
const SAVE_DEBOUNCE_MS = 10;
const VARIANTS = ["a", "b"] as const satisfies VariantName[];

export function Playground(props: PlaygroundProps) {
  const { teamId, path, agents, agent, editable, knowledges, chatId, messages, sourceAddress } = props;
  const { instructions, temperature, retrieval, knowledgeIds } = agent;
  const { t } = useTranslation("playground");
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: "parley-playground",
    storage: typeof window === "undefined" ? noStorage : localStorage,
    debounceSaveMs: SAVE_DEBOUNCE_MS,
  });
  const group = useRef<GroupImperativeHandle>(null);
  const settingsPanel = useRef<PanelImperativeHandle>(null);
  const [collapsed, setCollapsed] = useState(false);
  // A narrow screen shows one panel at a time.
  const [inSettings, setInSettings] = useState(false);
  const [variant, setVariant] = useState<VariantName>("a");
  const [saving, setSaving] = useState(false);
  const trial = useTrial(agent.id, { instructions, temperature, retrieval, knowledgeIds });
  const comparing = trial.variants.b !== null;
  const shown: VariantName = comparing ? variant : "a";
  const settings = trial.variants[shown] ?? trial.variants.a;
  const unsaved = trial.unsaved(shown);

  const current = useRef(trial);
  current.current = trial;
  const draft = useCallback(() => (editable ? current.current.unsaved("a") : undefined), [editable]);

  async function save() {
    setSaving(true);
    try {
      await sendApi("PUT", "/v1/teams/{teamId}/agents/{id}", { teamId, id: agent.id }, settings);
      trial.markSaved(settings);
      showToast({ title: t("saved") });
    } catch (error) {
      const code = error instanceof CallFailure ? error.code : "UNAVAILABLE";
      showToast({
        title: t(`errors:${code}.title`),
        description: error instanceof CallFailure ? error.message : undefined,
        variant: "destructive",
      });
    } finally {
      setSaving(false);
    }
  }
  function toggleSettings() {
    if (matchMedia("(width < 48rem)").matches) return setInSettings(!inSettings);
    const { current: panel } = settingsPanel;
    if (panel?.isCollapsed()) panel.expand();
    else panel?.collapse();
  }

  return (
    <>
      <div className="flex items-center gap-1 border-line border-b px-3 py-1.5">
        <h1 className="sr-only">{t("title")}</h1>
        <button
          type="button"
          aria-expanded={!collapsed}
          aria-controls="settings"
          aria-label={t("settings")}
          title={t("settings")}
          onClick={toggleSettings}
          className="icon-button"
        >
          <PanelLeft aria-hidden className="size-4" />
        </button>
        <label className="min-w-0 max-w-72 flex-1">
          <span className="sr-only">{t("agent")}</span>
          <select
            value={agent.id}
            onChange={({ target }) => visit(`${path}?agentId=${target.value}`)}
            className="h-8 w-full truncate rounded-md border border-transparent bg-transparent px-2 font-medium hover:bg-hover"
          >
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <span className="flex-1" />
        {editable && (
          <button
            type="button"
            aria-pressed={comparing}
            onClick={() => {
              trial.compare(!comparing);
              setVariant(comparing ? "a" : "b");
            }}
            className="flex h-8 items-center gap-1.5 rounded-md px-2.5 font-medium text-sm hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
          >
            <Columns2 aria-hidden className="size-4" />
            <span className="max-sm:sr-only">{t("compare")}</span>
          </button>
        )}
        <button
          type="button"
          onClick={() => visit(`${path}?agentId=${agent.id}`)}
          className="flex h-8 items-center gap-1.5 rounded-md px-2.5 font-medium text-sm hover:bg-hover"
        >
          <SquarePen aria-hidden className="size-4" />
          <span className="max-sm:sr-only">{t("chat:new")}</span>
        </button>
      </div>
      <Group
        orientation="horizontal"
        groupRef={group}
        defaultLayout={defaultLayout}
        onLayoutChanged={onLayoutChanged}
        className={`min-h-0 flex-1 ${inSettings ? "max-md:[&>#conversation]:hidden!" : "max-md:[&>#settings]:hidden!"}`}
      >
        <Panel
          id="settings"
          panelRef={settingsPanel}
          collapsible
          defaultSize="34%"
          minSize="22%"
          onResize={({ asPercentage }) => setCollapsed(asPercentage === 0)}
          className="flex min-h-0 flex-col"
        >
          <ScrollArea className="flex min-h-0 flex-1 flex-col">
            {comparing && (
              <div role="tablist" aria-label={t("variants")} className="flex gap-1 px-5 pt-3">
                {VARIANTS.map((name) => (
                  <button
                    key={name}
                    type="button"
                    role="tab"
                    aria-selected={shown === name}
                    onClick={() => setVariant(name)}
                    className="h-8 rounded-md px-3 font-medium text-muted text-sm hover:bg-hover aria-selected:bg-accent-soft aria-selected:text-accent-ink"
                  >
                    {t(`variant.${name}`)}
                  </button>
                ))}
              </div>
            )}
            <SettingsForm
              settings={settings}
              knowledges={knowledges}
              dirty={unsaved !== undefined}
              saving={saving}
              editable={editable}
              onChange={(part) => trial.change(shown, part)}
              onSave={() => void save()}
              onDiscard={() => trial.discard(shown)}
            />
          </ScrollArea>
        </Panel>
        <ResizeHandle group={group} />
        <Panel id="conversation" minSize="30%" className="flex min-h-0 flex-col">
          {comparing && <Comparison agent={agent} trial={trial} sourceAddress={sourceAddress} />}
          {/* Stays as it is while two variants are compared. */}
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
