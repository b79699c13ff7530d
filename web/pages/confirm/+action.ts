// Resends the confirmation mail. Answers the same whether or not the address is known.
import type { Action } from "../../render/action.ts";
import { formText } from "../../request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const email = formText(form, "email");
  if (!email) return { errors: { email: t("errors:refusals.email") } };
  await request.api.send("POST", "/v1/auth/resendConfirm", {}, { name: email });
  return {
    redirect: `/confirm?email=${encodeURIComponent(email)}`,
    toast: { title: t("auth:confirm.sent"), description: t("auth:confirm.sentText") },
  };
};
