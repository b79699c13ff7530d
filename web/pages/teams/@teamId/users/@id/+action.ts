// Changes a member's role, resends an invitation, or removes somebody, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const place = { id: currentTeam(request).id, userId: routeParams.id ?? "" };
  const roleId = formText(form, "roleId");
  switch (formText(form, "form")) {
    case "role":
      await request.api.send("PUT", "/v1/teamUsers/{id}/users/{userId}", place, { roleId });
      return { redirect: request.url.pathname, toast: { title: t("users:roleChanged") } };
    case "again":
      await request.api.send("PUT", "/v1/teamUsers/{id}/users/{userId}/invites", place, {
        status: "pending",
        roleId,
      });
      return { redirect: request.url.pathname, toast: { title: t("users:sentAgain") } };
    case "leave":
      await request.api.send("DELETE", "/v1/teamUsers/{id}/users/{userId}", place);
      return { redirect: "/teams", toast: { title: t("users:leave.done") } };
    default:
      await request.api.send("DELETE", "/v1/teamUsers/{id}/users/{userId}", place);
      return { redirect: teamPath(request, "users"), toast: { title: t("users:removed") } };
  }
};
