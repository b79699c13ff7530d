// Parses the source settings form (pages/teams/@teamId/sources/SourceFields.tsx) into the API's input.
import type { SourceField, SourceType } from "#web/request/api-types.ts";
import { formLines, formOptionalNumber, formText, formTexts } from "#web/request/form-text.ts";
import type { DataRequest } from "#web/request/request-scope.ts";

/** The values of the declared settings that the form contains. */
export function settingsIn({ settings }: SourceType, form: FormData): Record<string, unknown> {
  const shown = settings.filter(({ name, isHidden }) => !isHidden || form.has(`config.${name}`));
  return Object.fromEntries(shown.map((field) => [field.name, settingIn(field, form)]));
}

function settingIn({ name, control }: SourceField, form: FormData): unknown {
  const field = `config.${name}`;
  switch (control) {
    case "flag":
      return form.get(field) !== null;
    case "choices":
    case "files":
      return formTexts(form, field);
    case "list":
      return formText(form, field)
        .split(/[\s,;]+/)
        .filter(Boolean);
    case "lines":
      return formLines(form, field);
    case "page":
      // An empty field is omitted.
      return formText(form, field) || undefined;
    case "number":
      // An empty field is omitted: the type's initial value applies.
      return formOptionalNumber(form, field) ?? undefined;
    default:
      return formText(form, field);
  }
}

/** The agent in a posted form. */
export const chosenAgent = ({ form }: Pick<DataRequest, "form">): string | undefined =>
  form?.get("config.agentId")?.toString();

/** The entered credentials; omitted when every field was left empty. */
export function credentialsIn(
  { credentials }: SourceType,
  form: FormData,
): { credentials?: Record<string, string> } {
  const entered = credentials.map(({ name }) => [name, formText(form, `credentials.${name}`)] as const);
  const given = entered.filter(([, value]) => value !== "");
  return given.length > 0 ? { credentials: Object.fromEntries(given) } : {};
}

/** True when the form was submitted by its Test button. */
export const isConnectionTest = (form: FormData): boolean => formText(form, "intent") === "test";
