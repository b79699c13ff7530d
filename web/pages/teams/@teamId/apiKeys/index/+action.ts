// Revokes a key. The island creates keys, since a key is shown once and must not pass through a redirect.
import type { Action } from "#web/render/action.ts";
import { currentTeam } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const key = { teamId: currentTeam(request).id, id: formText(form, "id") };
  await request.api.send("DELETE", "/v1/teams/{teamId}/apiKeys/{id}", key);
  return { redirect: request.url.pathname, toast: { title: t("apiKeys:revoke.done") } };
};
