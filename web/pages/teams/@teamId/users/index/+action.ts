// Invites somebody, changes a member's role, sends an invitation again, or removes somebody. `form` tells which.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam } from "../../../../../server/current-team.ts";
import { formText } from "../../../../../server/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const { id } = currentTeam(request);
  const member = { id, userId: formText(form, "id") };
  const roleId = formText(form, "roleId");
  const done = (key: string) => ({
    redirect: request.url.pathname + request.url.search,
    toast: { title: t(`users:${key}`) },
  });
  switch (formText(form, "form").replace(/-.*/, "")) {
    case "role":
      await request.api.send("PUT", "/v1/teamUsers/{id}/users/{userId}", member, { roleId });
      return done("roleChanged");
    case "again":
      await request.api.send("PUT", "/v1/teamUsers/{id}/users/{userId}/invites", member, {
        status: "pending",
        roleId,
      });
      return done("sentAgain");
    case "remove":
      await request.api.send("DELETE", "/v1/teamUsers/{id}/users/{userId}", member);
      return done("removed");
    default: {
      const email = formText(form, "email");
      if (!email) return { errors: { email: t("users:emailMissing") } };
      await request.api.send("POST", "/v1/teamUsers/{id}/users", { id }, { email, roleId });
      return done("invited");
    }
  }
};
