// Two panels: an agent's settings at the left, a conversation with it at the right. Settings are saved on purpose; the next
// question meets them.
import { SquarePen } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { CallFailure, sendApi } from "../browser/call-api.ts";
import type { ChatMessage } from "../browser/chat.ts";
import { showToast, visit } from "../browser/page.ts";
import { Chat } from "./Chat.tsx";

interface Settings {
  instructions: string;
  temperature: number;
  retrieval: { topK: number; minScore: number; mode: "hybrid" | "vector" | "text" };
  knowledgeIds: string[];
}

export interface PlaygroundProps {
  teamId: string;
  /** Address of the playground. */
  path: string;
  agents: { id: string; name: string }[];
  agent: { id: string; name: string; greeting: string; suggestedPrompts: string[] } & Settings;
  knowledges: { id: string; name: string; status: string }[];
  chatId: string | null;
  messages: ChatMessage[];
  sourceAddress: string;
}

Playground.namespaces = ["playground", "chat", "errors"];

const noStorage = { getItem: () => null, setItem: () => undefined };
const modes = ["hybrid", "vector", "text"] as const;
const field =
  "w-full rounded-md border border-line-strong bg-ground px-2.5 py-1.5 text-sm focus-visible:border-accent";

export function Playground(props: PlaygroundProps) {
  const { path, agents, agent, chatId, messages, sourceAddress } = props;
  const { t } = useTranslation("playground");
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: "parley-playground",
    storage: typeof window === "undefined" ? noStorage : localStorage,
  });
  // A narrow screen shows one panel at a time.
  const [inSettings, setInSettings] = useState(false);
  return (
    <>
      <div className="flex items-center justify-between gap-3 border-line border-b px-4 py-2 md:hidden">
        <p className="min-w-0 truncate font-medium">{agent.name}</p>
        <button
          type="button"
          aria-pressed={inSettings}
          onClick={() => setInSettings(!inSettings)}
          className="h-8 rounded-md border border-line px-3 font-medium text-sm hover:bg-hover aria-pressed:bg-hover"
        >
          {t("settings")}
        </button>
      </div>
      <Group
        orientation="horizontal"
        defaultLayout={defaultLayout}
        onLayoutChanged={onLayoutChanged}
        className={`min-h-0 flex-1 ${inSettings ? "max-md:[&>#conversation]:hidden!" : "max-md:[&>#settings]:hidden!"}`}
      >
        <Panel
          id="settings"
          defaultSize="34%"
          minSize="22%"
          className="flex min-h-0 flex-col overflow-y-auto"
        >
          <div className="flex items-center gap-2 border-line border-b px-5 py-3">
            <h1 className="sr-only">{t("title")}</h1>
            <label className="min-w-0 flex-1">
              <span className="sr-only">{t("agent")}</span>
              <select
                value={agent.id}
                onChange={({ target }) => visit(`${path}?agentId=${target.value}`)}
                className={`${field} font-medium`}
              >
                {agents.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <button
              type="button"
              aria-label={t("chat:new")}
              title={t("chat:new")}
              onClick={() => visit(`${path}?agentId=${agent.id}`)}
              className="icon-button"
            >
              <SquarePen aria-hidden className="size-4" />
            </button>
          </div>
          <SettingsForm {...props} />
        </Panel>
        <Separator className="w-px bg-line transition-colors hover:bg-accent focus-visible:bg-accent data-[separator=active]:bg-accent max-md:hidden" />
        <Panel id="conversation" minSize="30%" className="flex min-h-0 flex-col">
          <Chat
            agent={agent}
            chatId={chatId}
            channel="playground"
            messages={messages}
            address={`${path}?agentId=${agent.id}&chatId={chatId}`}
            sourceAddress={sourceAddress}
          />
        </Panel>
      </Group>
    </>
  );
}

function SettingsForm({ teamId, agent, knowledges }: PlaygroundProps) {
  const { t } = useTranslation("playground");
  const id = useId();
  const [settings, setSettings] = useState<Settings>({
    instructions: agent.instructions,
    temperature: agent.temperature,
    retrieval: agent.retrieval,
    knowledgeIds: agent.knowledgeIds,
  });
  const [saved, setSaved] = useState(settings);
  const [saving, setSaving] = useState(false);
  const dirty = JSON.stringify(settings) !== JSON.stringify(saved);
  const change = (part: Partial<Settings>) => setSettings((now) => ({ ...now, ...part }));

  async function save(event: FormEvent) {
    event.preventDefault();
    setSaving(true);
    try {
      await sendApi("PUT", "/v1/teams/{teamId}/agents/{id}", { teamId, id: agent.id }, settings);
      setSaved(settings);
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

  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-1 flex-col gap-5 px-5 pt-4">
      <div>
        <label htmlFor={`${id}instructions`} className="mb-1.5 block font-medium text-sm">
          {t("instructions")}
        </label>
        <textarea
          id={`${id}instructions`}
          rows={8}
          maxLength={20_000}
          value={settings.instructions}
          onChange={({ target }) => change({ instructions: target.value })}
          className={`${field} resize-y leading-5`}
        />
      </div>
      <fieldset>
        <legend className="mb-1.5 font-medium text-sm">{t("knowledge")}</legend>
        {knowledges.length === 0 && <p className="text-muted text-sm">{t("noKnowledge")}</p>}
        {knowledges.map((knowledge) => (
          <label key={knowledge.id} className="flex items-center gap-2.5 py-1 text-sm">
            <input
              type="checkbox"
              checked={settings.knowledgeIds.includes(knowledge.id)}
              onChange={({ target }) =>
                change({
                  knowledgeIds: target.checked
                    ? [...settings.knowledgeIds, knowledge.id]
                    : settings.knowledgeIds.filter((one) => one !== knowledge.id),
                })
              }
              className="size-4 accent-accent"
            />
            <span className="min-w-0 truncate">{knowledge.name}</span>
          </label>
        ))}
      </fieldset>
      <div className="grid grid-cols-2 gap-4">
        <label className="text-sm">
          <span className="mb-1.5 block font-medium">{t("mode.label")}</span>
          <select
            value={settings.retrieval.mode}
            onChange={({ target }) =>
              change({
                retrieval: {
                  ...settings.retrieval,
                  mode: modes.find((mode) => mode === target.value) ?? "hybrid",
                },
              })
            }
            className={field}
          >
            {modes.map((mode) => (
              <option key={mode} value={mode}>
                {t(`mode.${mode}`)}
              </option>
            ))}
          </select>
        </label>
        <label className="text-sm">
          <span className="mb-1.5 block font-medium">{t("topK")}</span>
          <input
            type="number"
            min={1}
            max={50}
            value={settings.retrieval.topK}
            onChange={({ target }) =>
              change({ retrieval: { ...settings.retrieval, topK: clamp(target.valueAsNumber, 1, 50) } })
            }
            className={field}
          />
        </label>
      </div>
      <label className="text-sm">
        <span className="mb-1.5 flex justify-between font-medium">
          {t("temperature")}{" "}
          <span className="text-muted tabular-nums">{settings.temperature.toFixed(1)}</span>
        </span>
        <input
          type="range"
          min={0}
          max={2}
          step={0.1}
          value={settings.temperature}
          onChange={({ target }) => change({ temperature: target.valueAsNumber })}
          className="w-full accent-accent"
        />
      </label>
      <div className="sticky bottom-0 mt-auto flex items-center gap-3 border-line border-t bg-ground py-3">
        <button
          type="submit"
          disabled={!dirty || saving}
          className="h-8 rounded-md bg-accent px-3 font-medium text-on-accent text-sm hover:bg-accent-hover disabled:opacity-55"
        >
          {t("save")}
        </button>
        <p className="text-muted text-sm" role="status">
          {dirty ? t("unsaved") : ""}
        </p>
      </div>
    </form>
  );
}

const clamp = (value: number, low: number, high: number) =>
  Number.isNaN(value) ? low : Math.min(high, Math.max(low, Math.round(value)));
