// Invites somebody, changes a member's role, sends an invitation again, or removes somebody. `form` tells which.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam } from "../../../../../server/current-team.ts";
import { formText } from "../../../../../server/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const base = `/v1/teamUsers/${currentTeam(request).id}/users`;
  const member = `${base}/${encodeURIComponent(formText(form, "id"))}`;
  const roleId = formText(form, "roleId");
  const done = (key: string) => ({
    redirect: request.url.pathname + request.url.search,
    toast: { title: t(`users:${key}`) },
  });
  switch (formText(form, "form").replace(/-.*/, "")) {
    case "role":
      await request.api.send("PUT", member, { roleId });
      return done("roleChanged");
    case "again":
      await request.api.send("PUT", `${member}/invites`, { status: "pending", roleId });
      return done("sentAgain");
    case "remove":
      await request.api.send("DELETE", member);
      return done("removed");
    default: {
      const email = formText(form, "email");
      if (!email) return { errors: { email: t("users:emailMissing") } };
      await request.api.send("POST", base, { email, roleId });
      return done("invited");
    }
  }
};
