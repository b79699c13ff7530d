// A field of what a source logs in with. What is kept is never shown: an empty field leaves it as it is. Server only.
import { useTranslation } from "#translations";
import { useRender } from "../../renderer/render-context.tsx";
import type { SourceField } from "../../server/api-types.ts";
import { FormField } from "../FormField.tsx";

export interface SecretFieldProps {
  field: SourceField;
  /** The namespace of the type's words. */
  words: string;
  /** Name of the form that it stands in. */
  form: string;
  hasCredentials: boolean;
  /** The service may be read without logging in. */
  isOptional: boolean;
  /** A refusal of the credentials as such is shown at the last of their fields. */
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
        // The server never sends a secret back to the page; a script keeps it in its field.
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
