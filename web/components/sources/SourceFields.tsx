// The fields with which a type of source is set up. Their names are the paths that the API blames. Server only.
import { useTranslation } from "react-i18next";
import { useRender } from "../../renderer/render-context.tsx";
import { Field } from "../Field.tsx";
import { FormField } from "../FormField.tsx";

export interface SourceFieldsProps {
  type: string;
  /** What is kept; empty for a new source. */
  config?: Record<string, unknown>;
  /** Kept credentials stand where these fields are left empty. */
  hasCredentials?: boolean;
  agents?: { id: string; name: string }[];
  /** Name of the form that they stand in. */
  form?: string;
}

const kinds: Record<string, { field: string; options: string[]; preset: string[] }> = {
  shopify: {
    field: "content",
    options: ["products", "pages", "articles", "policies"],
    preset: ["products", "pages", "articles", "policies"],
  },
  hubspot: {
    field: "objects",
    options: ["companies", "contacts", "deals", "tickets", "products", "notes", "articles"],
    preset: ["companies", "deals", "tickets", "products"],
  },
};

export function SourceFields(props: SourceFieldsProps) {
  const { type, config = {}, hasCredentials = false, agents = [], form = "" } = props;
  const { t } = useTranslation("sources");
  const text = (name: string) => (typeof config[name] === "string" ? config[name] : undefined);
  const common = (name: string) => ({
    form,
    name: `config.${name}`,
    label: t(`fields.${type}.${name}`),
    hint: t(`fields.${type}.${name}Hint`),
  });
  if (type === "agentChat")
    return (
      <FormField
        as="select"
        {...common("agentId")}
        required
        defaultValue={text("agentId")}
        options={agents.map(({ id, name }) => ({ value: id, label: name }))}
      />
    );
  return (
    <>
      {type === "jira" && (
        <>
          <FormField
            {...common("site")}
            required
            defaultValue={text("site")}
            placeholder="https://acme.atlassian.net"
            autoComplete="url"
          />
          <FormField
            {...common("projects")}
            aside={t("app:optional")}
            defaultValue={Array.isArray(config.projects) ? config.projects.join(", ") : ""}
            placeholder="OPS, HELP"
          />
        </>
      )}
      {type === "shopify" && (
        <FormField
          {...common("shop")}
          required
          defaultValue={text("shop")}
          placeholder="https://acme.myshopify.com"
        />
      )}
      <Kinds type={type} config={config} form={form} />
      {type === "jira" && (
        <Secret name="email" type={type} form={form} hasCredentials={hasCredentials} visible />
      )}
      <Secret
        name={type === "jira" ? "apiToken" : "accessToken"}
        type={type}
        form={form}
        hasCredentials={hasCredentials}
      />
    </>
  );
}

interface SecretProps {
  name: string;
  type: string;
  form: string;
  hasCredentials: boolean;
  visible?: boolean;
}

/** A refusal of the credentials as such is shown at the last of their fields. */
function Secret({ name, type, form, hasCredentials, visible = false }: SecretProps) {
  const { t } = useTranslation("sources");
  const { form: state } = useRender();
  const refused = !visible && state?.name === form ? state.errors.credentials : undefined;
  return (
    <>
      <FormField
        form={form}
        name={`credentials.${name}`}
        label={t(`fields.${type}.${name}`)}
        hint={
          <>
            {t(`fields.${type}.${name}Hint`)}
            {!visible && state?.name === form && (
              <strong className="hidden font-medium text-careful noscript:inline">
                {" "}
                {t("fields.enterAgain")}
              </strong>
            )}
          </>
        }
        // The server never sends a secret back to the page; a script keeps it in its field.
        data-kept={visible ? undefined : ""}
        type={visible ? "email" : "password"}
        autoComplete="off"
        required={!hasCredentials}
        placeholder={hasCredentials ? t("fields.kept") : undefined}
      />
      {refused && <p className="-mt-2 font-medium text-bad text-sm">{refused}</p>}
    </>
  );
}

/** Which kinds of things are read, as boxes to tick. */
function Kinds({ type, config, form }: Required<Pick<SourceFieldsProps, "type" | "config" | "form">>) {
  const { t } = useTranslation("sources");
  const { form: state } = useRender();
  if (type === "jira")
    return (
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          name="config.withoutComments"
          defaultChecked={config.withoutComments === true}
        />
        {t("fields.jira.withoutComments")}
      </label>
    );
  const choice = kinds[type];
  if (!choice) return null;
  const name = `config.${choice.field}`;
  const mine = state?.name === form ? state : undefined;
  const kept = config[choice.field];
  const ticked = mine ? (mine.values[name] ?? []) : Array.isArray(kept) ? kept : choice.preset;
  return (
    <Field
      id={`${form}-${choice.field}`}
      label={t(`fields.${type}.${choice.field}`)}
      error={mine?.errors[name]}
    >
      {(attributes) => (
        <fieldset {...attributes} className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          <legend className="sr-only">{t(`fields.${type}.${choice.field}`)}</legend>
          {choice.options.map((option) => (
            <label key={option} className="flex items-center gap-2 text-sm">
              <input type="checkbox" name={name} value={option} defaultChecked={ticked.includes(option)} />
              {t(`kind.${option}`)}
            </label>
          ))}
        </fieldset>
      )}
    </Field>
  );
}
