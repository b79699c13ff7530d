// Changes, re-indexes or deletes the knowledge base, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const one = { id: routeParams.id ?? "" };
  if (formText(form, "form") === "index") {
    await request.api.send("POST", "/v1/admin/knowledges/{id}/index", one);
    return { redirect: request.url.pathname, toast: { title: t("admin:indexQueued") } };
  }
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/admin/knowledges/{id}", one);
    return { redirect: "/admin/knowledges", toast: { title: t("admin:deleted") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("admin:nameMissing") } };
  await request.api.send("PUT", "/v1/admin/knowledges/{id}", one, {
    name,
    description: formText(form, "description"),
  });
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
