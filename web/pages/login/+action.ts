// Starts a session. Some refusals redirect: an unconfirmed account goes to its confirmation page.
import type { Action } from "../../render/action.ts";
import { ApiFailure } from "../../request/api-failure.ts";
import { describeFailure } from "../../request/describe-failure.ts";
import { formSecret, formText } from "../../request/form-text.ts";
import { safeNext } from "../../request/safe-next.ts";

const FURTHER: Record<string, string> = { USER_NOT_CONFIRMED: "/confirm", USER_NOT_VERIFIED: "/verify" };

export const action: Action = async ({ request, form, t }) => {
  const email = formText(form, "email");
  const body = { email, password: formSecret(form, "password"), deviceId: "app" };
  try {
    const tokens = await request.api.send("POST", "/v1/auth/login", {}, body);
    request.api.setSession(tokens);
    return { redirect: safeNext(form.get("next"), "/dashboard") };
  } catch (failure) {
    const page = failure instanceof ApiFailure && FURTHER[failure.code];
    if (!page) throw failure;
    return {
      redirect: `${page}?email=${encodeURIComponent(email)}`,
      toast: { ...describeFailure(failure, t, request), variant: "destructive" },
    };
  }
};
