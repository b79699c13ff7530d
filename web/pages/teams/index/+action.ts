// Accepts or declines an invitation to a team.
import type { Action } from "#web/render/action.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const teamId = formText(form, "teamId");
  const accepted = formText(form, "status") === "accepted";
  const name = request.invitations.find((team) => team.id === teamId)?.name ?? t("teams:fallbackName");
  const invitation = { id: teamId, userId: request.user?.id ?? "" };
  await request.api.send("PUT", "/v1/teamUsers/{id}/users/{userId}/invites", invitation, {
    status: accepted ? "accepted" : "rejected",
    roleId: "",
  });
  return {
    redirect: "/teams",
    toast: accepted
      ? { title: t("teams:invitation.accepted"), description: t("teams:invitation.acceptedText", { name }) }
      : { title: t("teams:invitation.declined"), description: t("teams:invitation.declinedText", { name }) },
  };
};
