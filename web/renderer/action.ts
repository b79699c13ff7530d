// What a form's POST may do. An action calls the API, then either sends the browser on or shows the form again.
import type { TFunction } from "i18next";
import type { RequestScope } from "../server/request-scope.ts";
import type { Toast } from "./rendered.ts";

export interface FormState {
  /** What was typed, without passwords, so that the form comes back as it was left. */
  values: Record<string, string[] | undefined>;
  /** Message per field. */
  errors: { [field: string]: string | undefined };
  /** What went wrong with the form as a whole, in the catalogue's words. */
  failure?: { title: string; description: string };
  /** Whether somebody saved this since the form was opened: the page's data is theirs, and is shown beside what was typed. */
  changed?: boolean;
  /** What the action answered without leaving the page, such as the outcome of a test. */
  result?: unknown;
  /** Which of the page's forms it was, when it has several (their hidden field `form`). */
  name: string;
}

export interface ActionContext {
  request: RequestScope;
  form: FormData;
  routeParams: Record<string, string>;
  t: TFunction;
}

/** `errors` are shown at their fields with status 422; with a `result` the form is shown again as it was. A failure of the API needs no catching: it is shown on the form. */
export type ActionResult =
  | { redirect: string; toast?: Toast }
  | { errors: { [field: string]: string | undefined } }
  | { result: unknown };

export type Action = (context: ActionContext) => Promise<ActionResult>;
