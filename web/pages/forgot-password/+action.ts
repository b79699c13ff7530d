// Requests the mail, or sets the new password. The request answers the same for a known and an unknown address.
import type { Action } from "../../render/action.ts";
import { formSecret, formText } from "../../request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const email = formText(form, "email");
  if (!email) return { errors: { email: t("errors:refusals.email") } };
  const emailQuery = `email=${encodeURIComponent(email)}`;
  if (formText(form, "form") !== "reset") {
    await request.api.send("POST", "/v1/auth/forgotPassword", {}, { email });
    return { redirect: `/forgot-password?sent=1&${emailQuery}` };
  }
  const password = formSecret(form, "password");
  if (password.length < 8) return { errors: { password: t("auth:errors.password") } };
  const code = formText(form, "code");
  await request.api.send("POST", "/v1/auth/forgotPassword/confirm", {}, { code, username: email, password });
  return {
    redirect: `/login?${emailQuery}`,
    toast: { title: t("auth:reset.done"), description: t("auth:reset.doneText") },
  };
};
