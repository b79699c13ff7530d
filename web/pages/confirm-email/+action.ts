// Confirms an email change for the mailbox that received the link; the second of the two confirmations makes the change.
import type { Action } from "../../render/action.ts";
import { formText } from "../../request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const { waitsFor } = await request.api.send(
    "POST",
    "/v1/auth/email/confirm",
    {},
    { code: formText(form, "code") },
  );
  if (waitsFor) return { result: waitsFor };
  return {
    redirect: request.user ? "/account" : "/login",
    toast: { title: t("auth:confirmEmail.done"), description: t("auth:confirmEmail.doneText") },
  };
};
