// Closes or reopens the ticket.
import type { Action } from "#web/render/action.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const status = formText(form, "form") === "close" ? "closed" : "open";
  await request.api.send("PUT", "/v1/admin/support/tickets/{id}", { id: routeParams.id ?? "" }, { status });
  return { redirect: request.url.pathname, toast: { title: t(`admin:ticket.done.${status}`) } };
};
