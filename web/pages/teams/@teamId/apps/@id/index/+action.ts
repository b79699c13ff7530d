// Saves an app's settings or removes it, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText, formVersion } from "#web/request/form-text.ts";
import { audienceOf } from "../../audience.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const app = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/teams/{teamId}/apps/{id}", app);
    return { redirect: teamPath(request, "apps"), toast: { title: t("apps:delete.done") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("apps:nameMissing") } };
  const channels = formText(form, "channels")
    .split(/[\s,]+/)
    .filter(Boolean);
  if (channels.some((channel) => !/^[CG][A-Z0-9]{2,30}$/.test(channel))) {
    return { errors: { channels: t("apps:channels.wrong") } };
  }
  await request.api.send(
    "PUT",
    "/v1/teams/{teamId}/apps/{id}",
    app,
    {
      name,
      agentId: formText(form, "agentId"),
      audience: audienceOf(formText(form, "audience")),
      channels: [...new Set(channels)],
    },
    formVersion(form),
  );
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
