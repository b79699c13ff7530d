// Revokes a key. Keys are made by the island, since a key is shown once and must not pass through a redirect.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam } from "../../../../../server/current-team.ts";
import { formText } from "../../../../../server/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const id = encodeURIComponent(formText(form, "id"));
  await request.api.send("DELETE", `/v1/teams/${currentTeam(request).id}/apiKeys/${id}`);
  return { redirect: request.url.pathname, toast: { title: t("apiKeys:revoke.done") } };
};
