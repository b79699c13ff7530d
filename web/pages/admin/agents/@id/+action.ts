// Changes or deletes the agent, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const one = { id: routeParams.id ?? "" };
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/admin/agents/{id}", one);
    return { redirect: "/admin/agents", toast: { title: t("admin:deleted") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("admin:nameMissing") } };
  await request.api.send("PUT", "/v1/admin/agents/{id}", one, {
    name,
    description: formText(form, "description"),
    instructions: formText(form, "instructions"),
    visibility: formText(form, "visibility"),
  });
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
