// Sets the installation's retention periods.
import type { Action } from "#web/renderer/action.ts";
import { formText } from "#web/server/form-text.ts";
import { kinds } from "./kinds.ts";

export const action: Action = async ({ request, form, t }) => {
  const days = (kind: string) => {
    const chosen = formText(form, kind);
    return chosen === "" ? null : Number(chosen);
  };
  const changes = Object.fromEntries(kinds.map((kind) => [kind, days(kind)]));
  await request.api.send("PUT", "/v1/admin/retention", {}, changes);
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
