// Accepts or declines an invitation to a team.
import type { Action } from "#web/render/action.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const teamId = formText(form, "teamId");
  const accepted = formText(form, "status") === "accepted";
  const name = request.invitations.find((team) => team.id === teamId)?.name ?? t("teams:fallbackName");
  const invitation = { id: teamId, userId: request.user?.id ?? "" };
  try {
    await request.api.send("PUT", "/v1/teamUsers/{id}/users/{userId}/invites", invitation, {
      status: accepted ? "accepted" : "rejected",
      roleId: "",
    });
  } catch (error) {
    if (!(error instanceof ApiFailure && error.code === "NOT_FOUND")) throw error;
    const [title, description] = [t("teams:invitation.gone"), t("teams:invitation.goneText")];
    return { redirect: "/teams", toast: { title, description, variant: "destructive" } };
  }
  return {
    redirect: "/teams",
    toast: accepted
      ? { title: t("teams:invitation.accepted"), description: t("teams:invitation.acceptedText", { name }) }
      : { title: t("teams:invitation.declined"), description: t("teams:invitation.declinedText", { name }) },
  };
};
