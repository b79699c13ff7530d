// Bans or lets in again, gives or takes the platform's administration, renames, or removes. The hidden field `form` tells which.
import type { Action } from "#web/renderer/action.ts";
import { formText } from "#web/server/form-text.ts";

const flags: Record<string, { banned: boolean } | { isAdmin: boolean }> = {
  ban: { banned: true },
  unban: { banned: false },
  makeAdmin: { isAdmin: true },
  takeAdmin: { isAdmin: false },
};

export const action: Action = async ({ request, form, routeParams, t }) => {
  const one = { id: routeParams.id ?? "" };
  const flag = flags[formText(form, "form")];
  if (flag) {
    await request.api.send("PUT", "/v1/users/{id}", one, flag);
    return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
  }
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/users/{id}", one);
    return { redirect: "/admin/users", toast: { title: t("admin:deleted") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("admin:nameMissing") } };
  await request.api.send("PUT", "/v1/users/{id}", one, { name });
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
