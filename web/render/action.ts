// Types of a form's POST. An action calls the API, then either redirects the browser or shows the form again.
import type { TFunction } from "i18next";
import type { RequestScope } from "../request/request-scope.ts";
import type { Toast } from "./rendered.ts";

/** The hidden field of a form with the id of the user whose page it is on. */
export const PERSON_FIELD = "person";

export interface FormState {
  /** The submitted values without passwords, so the form is shown as it was filled in. */
  values: Record<string, string[] | undefined>;
  /** Message per field. */
  errors: { [field: string]: string | undefined };
  /** The failure of the form as a whole, in the error catalogue's words. */
  failure?: { title: string; description: string };
  /**
   * True when somebody else saved the resource after the form was opened. The page's data is theirs, shown next to the
   * submitted values.
   */
  changed?: boolean;
  /** The result of an action that stays on the page, such as the outcome of a test. */
  result?: unknown;
  /** Which of the page's forms was posted, when it has several (their hidden field `form`). */
  name: string;
}

export interface ActionContext {
  request: RequestScope;
  form: FormData;
  routeParams: Record<string, string>;
  t: TFunction;
}

/**
 * `errors` are shown at their fields with status 422; with a `result` the form is shown again unchanged. An action need
 * not catch API failures: the form shows them.
 */
export type ActionResult =
  | { redirect: string; toast?: Toast }
  | { errors: { [field: string]: string | undefined } }
  | { result: unknown };

export type Action = (context: ActionContext) => Promise<ActionResult>;
