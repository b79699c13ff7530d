// Creates an account, then redirects to its confirmation. A known address redirects to the login.
import type { Action } from "../../render/action.ts";
import { ApiFailure } from "../../request/api-failure.ts";
import { describeFailure } from "../../request/describe-failure.ts";
import { formSecret, formText } from "../../request/form-text.ts";
import { noteRegistration } from "./registering.ts";

export const action: Action = async ({ request, form, t }) => {
  const name = formText(form, "name");
  const email = formText(form, "email");
  const password = formSecret(form, "password");
  const errors: Record<string, string> = {};
  if (!name) errors.name = t("auth:errors.name");
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) errors.email = t("errors:refusals.email");
  if (password.length < 8 || new TextEncoder().encode(password).length > 72)
    errors.password = t("auth:errors.password");
  if (Object.keys(errors).length > 0) return { errors };

  const emailQuery = `email=${encodeURIComponent(email)}`;
  try {
    const body = { name, email, password, deviceId: "app", locale: request.locale };
    const { accessToken, refreshToken } = await request.api.send("POST", "/v1/auth/register", {}, body);
    if (!accessToken || !refreshToken) {
      noteRegistration(request.cookies, email);
      return { redirect: `/confirm?${emailQuery}` };
    }
    request.api.setSession({ accessToken, refreshToken });
    return { redirect: "/teams/create" };
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.code !== "USER_EXISTS") throw failure;
    return {
      redirect: `/login?${emailQuery}`,
      toast: { ...describeFailure(failure, t, request), variant: "destructive" },
    };
  }
};
