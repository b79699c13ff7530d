// Runs the action of a posted form and decides what comes of a refusal by the API: the form again, with its messages.
import { isChangedMeanwhile, refusalWords } from "../browser/failure-words.ts";
import type { Action, ActionContext, FormState } from "../renderer/action.ts";
import type { Toast } from "../renderer/rendered.ts";
import { ApiFailure } from "./api-failure.ts";
import { describeFailure } from "./describe-failure.ts";

type Outcome = { redirect: string; toast?: Toast } | { form: FormState; status: number };

const SECRET = /password|secret|token|key$/i;

/** What was typed, for showing the form again: text only, and no secret. */
function typedValues(form: FormData): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const [name, value] of form) {
    if (typeof value === "string" && !SECRET.test(name)) values[name] = [...(values[name] ?? []), value];
  }
  return values;
}

/** Runs a page's action. A page without one answers 405. Failures of the API become messages on the form. */
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
    if (!(error instanceof ApiFailure) || error.code === "NOT_AUTHENTICATED") throw error;
    const errors = Object.fromEntries(error.details.map((detail) => [detail.path, refusalWords(detail, t)]));
    const failure = describeFailure(error, t, request);
    return { form: state({ errors, failure, changed: isChangedMeanwhile(error) }), status: error.status };
  }
}
