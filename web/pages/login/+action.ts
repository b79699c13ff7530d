// Starts a session. Some refusals redirect: an unconfirmed account goes to its confirmation page.
import type { Action } from "../../renderer/action.ts";
import { ApiFailure } from "../../server/api-failure.ts";
import { describeFailure } from "../../server/describe-failure.ts";
import { formSecret, formText } from "../../server/form-text.ts";
import { safeNext } from "../../server/safe-next.ts";

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
