// An agent's settings as they are tried: every change applies to the next question, and is saved only on request.
import { type FormEvent, useId } from "react";
import { useTranslation } from "#translations";
import { useNamedChoices } from "#web/client/choices.ts";
import { perLanguage } from "#web/client/per-language.ts";
import { SearchSelect } from "#web/islands/SearchSelect.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Field } from "#web/ui/Field.tsx";
import { Input } from "#web/ui/Input.tsx";
import { type Option, Select } from "#web/ui/Select.tsx";
import { Textarea } from "#web/ui/Textarea.tsx";
import { OfflineNote, type OfflineNoteProps } from "../models/OfflineNote.tsx";
import { NewerSettings } from "./NewerSettings.tsx";
import type { AgentSettings } from "./use-trial.ts";

export interface SettingsFormProps {
  settings: AgentSettings;
  /** What somebody else has saved in the meantime, and its address. */
  newer?: { settings: AgentSettings; href: string };
  teamId: string;
  /** Partial ones are searched. Null for readers who may not see them. */
  knowledges: { options: Option[]; isPartial: boolean } | null;
  offlineNote: OfflineNoteProps | null;
  /** Whether the settings differ from the saved ones. */
  dirty: boolean;
  saving: boolean;
  /** False for readers who may not change the agent: read-only. */
  editable: boolean;
  onChange(part: Partial<AgentSettings>): void;
  onSave(): void;
  onDiscard(): void;
}

const decimalFormat = perLanguage(
  (language) => new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 2 }),
);
const modes = ["hybrid", "vector", "text"] as const;
const clamp = (value: number, low: number, high: number) =>
  Number.isNaN(value) ? low : Math.min(high, Math.max(low, Math.round(value)));

export function SettingsForm(props: SettingsFormProps) {
  const { settings, newer, offlineNote, dirty, saving, editable, onChange, onSave } = props;
  const { t, i18n } = useTranslation("playground");
  const id = useId();
  const knowledges = useNamedChoices(
    "knowledges",
    props.teamId,
    props.knowledges?.options ?? [],
    props.knowledges ? settings.knowledgeIds : [],
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    if (dirty && !saving) onSave();
  }

  return (
    <>
      <p className="hidden px-5 pt-4 text-muted text-sm noscript:block">{t("needsScripts")}</p>
      <form onSubmit={submit} className="flex flex-1 flex-col px-5 pt-4 noscript:hidden">
        {offlineNote && (
          <div className="mb-5">
            <OfflineNote {...offlineNote} />
          </div>
        )}
        <fieldset disabled={!editable} className="flex flex-col gap-5">
          {newer && <NewerSettings {...newer} mine={settings} knowledges={knowledges} />}
          <Field id={`${id}instructions`} label={t("instructions")}>
            {(attributes) => (
              <Textarea
                {...attributes}
                dir="auto"
                rows={8}
                maxLength={20_000}
                value={settings.instructions}
                onChange={({ target }) => onChange({ instructions: target.value })}
              />
            )}
          </Field>
          {props.knowledges && <KnowledgeFields {...props} {...props.knowledges} chosen={knowledges} />}
          <SearchFields
            retrieval={settings.retrieval}
            onChange={(part) => onChange({ retrieval: { ...settings.retrieval, ...part } })}
          />
          <Slider
            label={t("temperature")}
            value={settings.temperature}
            max={2}
            step={0.1}
            shown={decimalFormat(i18n.language).format(settings.temperature)}
            onChange={(temperature) => onChange({ temperature })}
          />
        </fieldset>
        <SaveBar {...props} />
      </form>
    </>
  );
}

interface KnowledgeFieldsProps
  extends Pick<SettingsFormProps, "settings" | "teamId" | "onChange">,
    NonNullable<SettingsFormProps["knowledges"]> {
  /** The listed ones and those that the settings name. */
  chosen: Option[];
}

function KnowledgeFields(props: KnowledgeFieldsProps) {
  const { settings, teamId, options, isPartial, chosen, onChange } = props;
  const { t } = useTranslation("playground");
  const id = useId();
  const toggle = (one: string, isUsed: boolean) => {
    const others = settings.knowledgeIds.filter((other) => other !== one);
    onChange({ knowledgeIds: isUsed ? [...others, one] : others });
  };
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-sm">{t("knowledge")}</legend>
      {chosen.length === 0 && <p className="text-muted text-sm">{t("noKnowledge")}</p>}
      <div className="max-h-72 overflow-y-auto">
        {chosen.map(({ value, label }) => (
          <label key={value} className="flex items-center gap-2.5 py-1 text-sm">
            <input
              type="checkbox"
              checked={settings.knowledgeIds.includes(value)}
              onChange={({ target }) => toggle(value, target.checked)}
            />
            <span className="min-w-0 truncate">{label}</span>
          </label>
        ))}
      </div>
      {isPartial && (
        <SearchSelect
          id={`${id}another`}
          name="another"
          label={t("anotherKnowledge")}
          list="knowledges"
          teamId={teamId}
          options={options}
          none={{ value: "", label: t("anotherKnowledge") }}
          value=""
          onChoose={(one) => toggle(one, true)}
          adds
        />
      )}
    </fieldset>
  );
}

type Retrieval = AgentSettings["retrieval"];

function SearchFields({
  retrieval,
  onChange,
}: {
  retrieval: Retrieval;
  onChange: (part: Partial<Retrieval>) => void;
}) {
  const { t, i18n } = useTranslation("playground");
  const id = useId();
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] gap-4">
        <Field id={`${id}mode`} label={t("mode.label")}>
          {(attributes) => (
            <Select
              {...attributes}
              value={retrieval.mode}
              onChange={({ target }) =>
                onChange({ mode: modes.find((mode) => mode === target.value) ?? "hybrid" })
              }
              options={modes.map((mode) => ({ value: mode, label: t(`mode.${mode}`) }))}
            />
          )}
        </Field>
        <Field id={`${id}topK`} label={t("topK")}>
          {(attributes) => (
            <Input
              {...attributes}
              type="number"
              min={1}
              max={50}
              value={retrieval.topK}
              onChange={({ target }) => onChange({ topK: clamp(target.valueAsNumber, 1, 50) })}
            />
          )}
        </Field>
      </div>
      <Slider
        label={t("minScore")}
        value={retrieval.minScore}
        max={1}
        step={0.05}
        shown={decimalFormat(i18n.language).format(retrieval.minScore)}
        onChange={(minScore) => onChange({ minScore })}
      />
    </>
  );
}

function SaveBar({ dirty, saving, editable, onDiscard }: SettingsFormProps) {
  const { t } = useTranslation("playground");
  /** Whether there is something to save. Not disabled otherwise: the button that was just used keeps the focus. */
  const isReady = dirty && !saving;
  return (
    <div data-covers="bottom" className="sticky bottom-0 mt-auto pt-5">
      <div className="-mx-5 flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t bg-ground px-5 py-3">
        <p className="w-full text-muted text-sm" role="status">
          {editable ? (dirty ? t("unsaved") : t("allSaved")) : t("notEditable")}
        </p>
        {editable && (
          <>
            <Button variant="primary" aria-disabled={!isReady}>
              {t("save")}
            </Button>
            <Button
              type="button"
              variant="ghost"
              aria-disabled={!isReady}
              onClick={() => isReady && onDiscard()}
            >
              {t("discard")}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

interface SliderProps {
  label: string;
  value: number;
  max: number;
  step: number;
  shown: string;
  onChange(value: number): void;
}

function Slider({ label, value, max, step, shown, onChange }: SliderProps) {
  return (
    <label className="text-sm">
      <span className="mb-1.5 flex justify-between font-medium">
        {label} <span className="text-muted tabular-nums">{shown}</span>
      </span>
      <input
        type="range"
        min={0}
        max={max}
        step={step}
        value={value}
        onChange={({ target }) => onChange(target.valueAsNumber)}
        className="range w-full"
      />
    </label>
  );
}
