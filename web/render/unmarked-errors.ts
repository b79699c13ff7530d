// Owns the messages of a refused form that no field of its page shows: they are shown above the form, so that a refusal
// always says why.
import type { TFunction } from "i18next";
import type { FormState } from "./action.ts";

export interface WatchedForm {
  form: FormState;
  /** The fields whose messages the page has read. */
  read: Set<string>;
}

/** The same form, which notes the fields whose messages are read. */
export function watchErrors(form: FormState): WatchedForm {
  const read = new Set<string>();
  const errors: FormState["errors"] = {};
  for (const [field, message] of Object.entries(form.errors))
    Object.defineProperty(errors, field, {
      enumerable: true,
      get: () => {
        read.add(field);
        return message;
      },
    });
  return { form: { ...form, errors }, read };
}

/** The form with its unread messages above it; undefined when every message was read, or is above it already. */
export function withUnmarked(form: FormState, read: Set<string>, t: TFunction): FormState | undefined {
  // The alert of a conflicting save has its own words.
  if (form.changed) return undefined;
  const above = form.failure?.description ?? "";
  const messages = new Set(
    Object.entries(form.errors).flatMap(([field, message]) =>
      message && !read.has(field) && !above.includes(message) ? [message] : [],
    ),
  );
  if (messages.size === 0) return undefined;
  const title = form.failure?.title ?? t("errors:VALIDATION_FAILED.title");
  return { ...form, failure: { title, description: [...messages].join(" ") } };
}
