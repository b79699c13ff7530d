// Runs the action of a posted form. When the API refuses, shows the form again with its messages.
import type { TFunction } from "i18next";
import { isChangedMeanwhile, type RefusalDetail, refusalWords } from "../client/failure-words.ts";
import { isSecretName } from "../client/secret-names.ts";
import type { Action, ActionContext, FormState } from "../render/action.ts";
import type { Toast } from "../render/rendered.ts";
import { ApiFailure } from "./api-failure.ts";
import { describeFailure } from "./describe-failure.ts";
import { formLines } from "./form-text.ts";
import { RefusedField } from "./refused-field.ts";

type Outcome = { redirect: string; toast?: Toast } | { form: FormState; status: number };

/** The submitted values, to show the form again. Text only, never a secret. */
export function typedValues(form: FormData): Record<string, string[]> {
  // Without a prototype: whoever posts it may call a field "constructor".
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of form) {
    if (typeof value !== "string" || isSecretName(name)) continue;
    values[name] ??= [];
    values[name].push(value);
  }
  return values;
}

/**
 * The message of each refused field. One about an item of a list is shown at the list, and quotes the item when the reader
 * wrote several.
 */
function fieldErrors(details: RefusalDetail[], form: FormData, t: TFunction): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const detail of details) {
    const words = refusalWords(detail, t);
    const [, list, number] = /^(.+?)\.(\d+)(?:\.|$)/.exec(detail.path) ?? [];
    const items = list && form.getAll(list).length === 1 ? formLines(form, list) : [];
    const item = items.length > 1 ? items[Number(number)] : undefined;
    const field = list ?? detail.path;
    const message = item ? t("app:labelled", { label: shorten(item), value: words }) : words;
    errors[field] = errors[field] ? `${errors[field]} ${message}` : message;
  }
  return errors;
}

/** In characters. */
const MOST_QUOTED = 60;
const shorten = (text: string) => {
  const characters = [...text];
  return characters.length > MOST_QUOTED ? `${characters.slice(0, MOST_QUOTED).join("")}…` : text;
};

/** Runs a page's action. A page without one answers 405. API failures become messages on the form. */
export async function runAction(action: Action | undefined, context: ActionContext): Promise<Outcome> {
  const { form, request, t } = context;
  const state = (outcome: Pick<FormState, "errors" | "failure" | "changed" | "result">): FormState => ({
    values: typedValues(form),
    name: String(form.get("form") ?? ""),
    ...outcome,
  });
  if (!action) return { form: state({ errors: {} }), status: 405 };
  try {
    const result = await action(context);
    if ("redirect" in result) return result;
    return "result" in result
      ? { form: state({ errors: {}, result: result.result }), status: 200 }
      : { form: state({ errors: result.errors }), status: 422 };
  } catch (error) {
    if (error instanceof RefusedField)
      return { form: state({ errors: { [error.field]: t(`errors:refusals.${error.code}`) } }), status: 422 };
    if (!(error instanceof ApiFailure) || error.code === "NOT_AUTHENTICATED") throw error;
    const errors = fieldErrors(error.details, form, t);
    const failure = describeFailure(error, t, request);
    return { form: state({ errors, failure, changed: isChangedMeanwhile(error) }), status: error.status };
  }
}
