// The settings fields of a source type, as its connector declares them. Their names are the paths in the API's errors.
// Server only.
import { useTranslation } from "#translations";
import { useRender } from "#web/render/render-context.tsx";
import type { SourceField, SourceType } from "#web/request/api-types.ts";
import { type Choices, noChoices } from "#web/request/choices.ts";
import { Field } from "#web/ui/Field.tsx";
import { FormChoice } from "#web/ui/FormChoice.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { newerValue } from "#web/ui/newer-value.ts";
import { SecretField } from "./SecretField.tsx";

export interface SourceFieldsProps {
  type: SourceType;
  /** The stored settings; empty for a new source. */
  config?: Record<string, unknown>;
  /** Whether empty credential fields keep the stored credentials. */
  hasCredentials?: boolean;
  agents?: Choices;
  /** Name of the form around them. */
  form?: string;
}

interface SettingProps extends Required<Pick<SourceFieldsProps, "config" | "agents" | "form">> {
  field: SourceField;
  /** The translation namespace of the type. */
  words: string;
}

export function SourceFields(props: SourceFieldsProps) {
  const { type, config = {}, hasCredentials = false, agents = noChoices("agents"), form = "" } = props;
  const words = `source-${type.type}`;
  return (
    <>
      {type.settings.map((field) => (
        <Setting key={field.name} field={field} words={words} config={config} agents={agents} form={form} />
      ))}
      {type.credentials.map((field, at) => (
        <SecretField
          key={field.name}
          field={field}
          words={words}
          form={form}
          hasCredentials={hasCredentials}
          isOptional={type.login === "optional"}
          isLast={at === type.credentials.length - 1}
        />
      ))}
    </>
  );
}

function Setting({ field, words, config, agents, form }: SettingProps) {
  const { t } = useTranslation("sources");
  const { name, control, placeholder, preset } = field;
  const kept = config[name] ?? preset;
  const common = {
    form,
    name: `config.${name}`,
    required: field.isRequired,
    placeholder: placeholder ?? undefined,
  };
  if (field.isHidden)
    return typeof config[name] === "string" ? (
      <input type="hidden" name={common.name} value={config[name]} />
    ) : null;
  const label = t(`${words}:fields.${name}.label`);
  if (control === "files") return null;
  const hint = t(`${words}:fields.${name}.hint`, { defaultValue: "" });
  if (control === "flag")
    return <Flag form={form} name={common.name} label={label} hint={hint} saved={kept === true} />;
  if (control === "choices") return <KindChoices field={field} words={words} config={config} form={form} />;
  const aside = field.isRequired ? undefined : t("app:optional");
  if (control === "agent")
    return (
      <FormChoice
        form={form}
        name={common.name}
        label={label}
        hint={hint}
        defaultValue={typeof kept === "string" ? kept : undefined}
        choices={agents}
      />
    );
  const text = Array.isArray(kept) ? kept.join(control === "lines" ? "\n" : ", ") : kept;
  const value = typeof text === "string" || typeof text === "number" ? text : undefined;
  if (control === "lines")
    return (
      <FormField
        as="textarea"
        {...common}
        label={label}
        hint={hint}
        aside={aside}
        rows={3}
        defaultValue={value}
      />
    );
  return (
    <FormField
      {...common}
      label={label}
      hint={hint}
      aside={aside}
      defaultValue={value}
      inputMode={control === "number" ? "numeric" : undefined}
      autoComplete={control === "address" ? "url" : undefined}
    />
  );
}

interface FlagProps {
  form: string;
  name: string;
  label: string;
  hint: string;
  saved: boolean;
}

function Flag({ form, name, label, hint, saved }: FlagProps) {
  const { form: state } = useRender();
  // A form that is shown again has the submitted checkboxes.
  const checked = state?.name === form ? state.values[name] !== undefined : saved;
  const hintId = hint ? `${form}-${name}-hint` : undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <label className="flex items-center gap-2 text-sm">
        <input type="checkbox" name={name} defaultChecked={checked} aria-describedby={hintId} />
        {label}
      </label>
      {hint && (
        <p id={hintId} className="text-muted text-sm">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Checkboxes for the kinds of content to sync. */
function KindChoices({ field, words, config, form }: Omit<SettingProps, "agents">) {
  const { t } = useTranslation("sources");
  const { form: state } = useRender();
  const name = `config.${field.name}`;
  const mine = state?.name === form ? state : undefined;
  const kept = config[field.name] ?? field.preset;
  const saved: unknown[] = Array.isArray(kept) ? kept : [];
  const ticked = mine ? (mine.values[name] ?? []) : saved;
  const labelsOf = (chosen: unknown[]) =>
    (field.options ?? [])
      .filter((option) => chosen.includes(option))
      .map((option) => t(`${words}:kinds.${option}`))
      .join(", ");
  const label = t(`${words}:fields.${field.name}.label`);
  return (
    <Field
      id={`${form}-${field.name}`}
      label={label}
      error={mine?.errors[name]}
      newer={newerValue(t, mine, { typed: labelsOf(ticked), saved: labelsOf(saved) })}
    >
      {(attributes) => (
        <fieldset {...attributes} className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          <legend className="sr-only">{label}</legend>
          {(field.options ?? []).map((option) => (
            <label key={option} className="flex items-center gap-2 text-sm">
              <input type="checkbox" name={name} value={option} defaultChecked={ticked.includes(option)} />
              {t(`${words}:kinds.${option}`)}
            </label>
          ))}
        </fieldset>
      )}
    </Field>
  );
}
