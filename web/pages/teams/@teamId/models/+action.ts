// Connects and disconnects a team's models, and sets its budget, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { teamRef } from "#web/request/current-team.ts";
import { formOptionalNumber, formText } from "#web/request/form-text.ts";
import { connectionIn, roleIn } from "./model-forms.ts";

export const action: Action = async ({ request, form, t }) => {
  const teamId = teamRef(request);
  const { send } = request.api;
  const redirect = request.url.pathname;
  if (formText(form, "form") === "budget") {
    const [cap, warnPercent] = [
      formOptionalNumber(form, "cap"),
      formOptionalNumber(form, "warnPercent") ?? 80,
    ];
    await send("PUT", "/v1/teams/{teamId}/budget", { teamId }, { cap, warnPercent });
    return { redirect, toast: { title: t("models:done.budget") } };
  }
  const id = formText(form, "id");
  if (formText(form, "form") === "disconnect") {
    await send("DELETE", "/v1/teams/{teamId}/models/{id}", { teamId, id });
    return { redirect, toast: { title: t("models:done.disconnected") } };
  }
  const connection = connectionIn(form);
  if (id) await send("PUT", "/v1/teams/{teamId}/models/{id}", { teamId, id }, connection);
  else await send("POST", "/v1/teams/{teamId}/models", { teamId }, { role: roleIn(form), ...connection });
  return { redirect, toast: { title: t("models:done.connected", { model: connection.model }) } };
};
