// Resends the mail to choose a password. Answers the same whether or not the address is known.
import type { Action } from "../../render/action.ts";
import { formText } from "../../request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const email = formText(form, "email");
  if (!email) return { errors: { email: t("errors:refusals.email") } };
  await request.api.send("POST", "/v1/auth/forgotPassword", {}, { email });
  return {
    redirect: `/verify?email=${encodeURIComponent(email)}`,
    toast: { title: t("auth:forgot.sent"), description: t("auth:forgot.sentText") },
  };
};
