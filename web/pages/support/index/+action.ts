// Creates a support ticket.
import type { Action } from "#web/render/action.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form }) => {
  const body = {
    email: formText(form, "email"),
    subject: formText(form, "subject"),
    message: formText(form, "message"),
    ...(request.user ? { name: request.user.name } : {}),
  };
  await request.api.send("POST", "/v1/support/tickets", {}, body);
  return { redirect: "/support/success" };
};
