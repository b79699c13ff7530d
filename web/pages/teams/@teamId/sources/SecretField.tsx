// A field of a source's credentials. The stored value is never shown: an empty field leaves it unchanged. Server only.
import { useTranslation } from "#translations";
import { useRender } from "#web/render/render-context.tsx";
import type { SourceField } from "#web/request/api-types.ts";
import { FormField } from "#web/ui/FormField.tsx";

export interface SecretFieldProps {
  field: SourceField;
  /** The translation namespace of the type. */
  words: string;
  /** Name of the form around it. */
  form: string;
  hasCredentials: boolean;
  /** The service can be read without credentials. */
  isOptional: boolean;
  /** Shows errors about the credentials as a whole, which appear at their last field. */
  isLast: boolean;
}

export function SecretField(props: SecretFieldProps) {
  const { field, words, form, hasCredentials, isOptional, isLast } = props;
  const { t } = useTranslation("sources");
  const { form: state } = useRender();
  const { name, control } = field;
  const isSecret = control === "secret";
  const refused = isLast && state?.name === form ? state.errors.credentials : undefined;
  return (
    <>
      <FormField
        form={form}
        name={`credentials.${name}`}
        label={t(`${words}:fields.${name}.label`)}
        aside={isOptional ? t("app:optional") : undefined}
        hint={
          <>
            {t(`${words}:fields.${name}.hint`)}
            {isSecret && state?.name === form && (
              <strong className="hidden font-medium text-careful noscript:inline">
                {" "}
                {t("fields.enterAgain")}
              </strong>
            )}
          </>
        }
        // The server never returns a secret to the page; a script keeps it in its field.
        data-kept={isSecret ? "" : undefined}
        type={isSecret ? "password" : control === "email" ? "email" : "text"}
        autoComplete="off"
        required={!hasCredentials && !isOptional}
        placeholder={hasCredentials ? t("fields.kept") : undefined}
      />
      {refused && <p className="-mt-2 font-medium text-bad text-sm">{refused}</p>}
    </>
  );
}
