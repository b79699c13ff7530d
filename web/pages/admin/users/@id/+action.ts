// Bans, unbans, grants or revokes platform admin, renames or deletes the account, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { formText } from "#web/request/form-text.ts";

const flags: Record<string, { banned: boolean } | { isAdmin: boolean }> = {
  ban: { banned: true },
  unban: { banned: false },
  makeAdmin: { isAdmin: true },
  takeAdmin: { isAdmin: false },
};

export const action: Action = async ({ request, form, routeParams, t }) => {
  const one = { id: routeParams.id ?? "" };
  const changed = formText(form, "form");
  const flag = flags[changed];
  if (flag) {
    await request.api.send("PUT", "/v1/users/{id}", one, flag);
    return { redirect: request.url.pathname, toast: { title: t(`admin:user.done.${changed}`) } };
  }
  if (changed === "delete") {
    await request.api.send("DELETE", "/v1/users/{id}", one);
    return { redirect: "/admin/users", toast: { title: t("admin:deleted") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("admin:nameMissing") } };
  await request.api.send("PUT", "/v1/users/{id}", one, { name });
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
