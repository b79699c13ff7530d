// Restores an earlier version of a file, or deletes the file and its document.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";
import { remove } from "#web/request/remove.ts";

export const action: Action = async (context) => {
  const { request, form, routeParams, t } = context;
  const file = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  if (formText(form, "form") === "restore") {
    const number = formText(form, "number");
    await request.api.send("POST", "/v1/teams/{teamId}/files/{id}/versions/{number}/restore", {
      ...file,
      number,
    });
    const toast = { title: t("files:versions.restored", { number }) };
    return { redirect: teamPath(request, `files/${file.id}`), toast };
  }
  const toast = await remove(
    context,
    { path: "/v1/teams/{teamId}/files/{id}", input: file },
    {
      title: t("files:delete.done"),
      restored: t("files:delete.restored"),
      href: request.url.pathname,
    },
  );
  return { redirect: teamPath(request, "files"), toast };
};
