// Saves an agent's appearance. Rejects an unusable picture before anything is saved.
import { isAvatar, MOST_AVATAR_BYTES } from "#edge-functions/_shared/text/avatars.ts";
import type { Action } from "#web/render/action.ts";
import { currentTeam } from "#web/request/current-team.ts";
import { formText, formVersion } from "#web/request/form-text.ts";

const PICTURE = "/v1/teams/{teamId}/agents/{id}/avatar";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const agent = { teamId: currentTeam(request).id, id: routeParams.agentId ?? "" };
  const file = form.get("avatar");
  let picture: string | undefined;
  if (file instanceof File && file.size > 0) {
    if (file.size <= MOST_AVATAR_BYTES) picture = Buffer.from(await file.arrayBuffer()).toString("base64");
    if (!picture || !isAvatar(picture)) return { errors: { avatar: t("errors:refusals.avatar") } };
  }
  const values = {
    greeting: formText(form, "greeting"),
    appearance: {
      name: formText(form, "appearance.name"),
      color: formText(form, "appearance.color"),
      launcher: {
        icon: formText(form, "appearance.launcher.icon"),
        label: formText(form, "appearance.launcher.label"),
      },
      position: formText(form, "appearance.position"),
      address: formText(form, "appearance.address"),
    },
  };
  await request.api.send("PUT", "/v1/teams/{teamId}/agents/{id}", agent, values, formVersion(form));
  if (picture) await request.api.send("PUT", PICTURE, agent, { data: picture });
  else if (formText(form, "noAvatar")) await request.api.send("DELETE", PICTURE, agent);
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
