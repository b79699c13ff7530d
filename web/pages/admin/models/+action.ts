// Connects and disconnects the installation's models, and caps a team's model cost, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { formOptionalNumber, formText } from "#web/request/form-text.ts";
import { connectionIn, roleIn } from "../../teams/@teamId/models/model-forms.ts";

export const action: Action = async ({ request, form, t }) => {
  const { send } = request.api;
  const redirect = request.url.pathname;
  if (formText(form, "form").startsWith("cap-")) {
    const installationCap = formOptionalNumber(form, "installationCap");
    await send("PUT", "/v1/admin/budgets/{id}", { id: formText(form, "id") }, { installationCap });
    return { redirect, toast: { title: t("models:teams.done") } };
  }
  const id = formText(form, "id");
  if (formText(form, "form") === "disconnect") {
    await send("DELETE", "/v1/admin/models/{id}", { id });
    return { redirect, toast: { title: t("models:done.disconnected") } };
  }
  const connection = connectionIn(form);
  if (id) await send("PUT", "/v1/admin/models/{id}", { id }, connection);
  else await send("POST", "/v1/admin/models", {}, { role: roleIn(form), ...connection });
  return { redirect, toast: { title: t("models:done.connected", { model: connection.model }) } };
};
