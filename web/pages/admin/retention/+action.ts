// Sets the installation's retention periods.
import type { Action } from "#web/render/action.ts";
import { formOptionalNumber } from "#web/request/form-text.ts";
import { kinds } from "./kinds.ts";

export const action: Action = async ({ request, form, t }) => {
  const changes = Object.fromEntries(kinds.map((kind) => [kind, formOptionalNumber(form, kind)]));
  await request.api.send("PUT", "/v1/admin/retention", {}, changes);
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
