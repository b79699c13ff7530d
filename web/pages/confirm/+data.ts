// Confirms the account when the address contains the mail's code; otherwise the page asks to check the mail.
import { Redirection } from "../../render/outcome.ts";
import type { DataContext } from "../../render/page-definition.ts";
import { ApiFailure } from "../../request/api-failure.ts";
import { describeFailure } from "../../request/describe-failure.ts";
import { i18nFor } from "../../request/i18n.ts";
import { keepToast } from "../../request/request-scope.ts";
import { forgetRegistration, wasRegisteredHere } from "../register/registering.ts";

export interface ConfirmData {
  email: string;
  failure?: { title: string; description: string };
}

export async function data({ request }: DataContext): Promise<ConfirmData | Redirection> {
  const { t } = i18nFor(request.locale);
  const email = request.url.searchParams.get("email") ?? "";
  const code = request.url.searchParams.get("code");
  if (!code || request.method !== "GET") return { email };
  try {
    const signIn = wasRegisteredHere(request.cookies, email) ? "true" : "false";
    const { accessToken, refreshToken, verified } = await request.api.get("/v1/auth/confirm", {
      code,
      username: email,
      signIn,
    });
    if (accessToken && refreshToken) {
      request.api.setSession({ accessToken, refreshToken });
      forgetRegistration(request.cookies);
      keepToast(request.cookies, { title: t("auth:confirm.done") });
      return new Redirection("/dashboard");
    }
    if (!verified) return new Redirection(`/verify?email=${encodeURIComponent(email)}`);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return { email, failure: describeFailure(failure, t, request) };
  }
  keepToast(request.cookies, { title: t("auth:confirm.done"), description: t("auth:confirm.doneText") });
  return new Redirection(`/login?email=${encodeURIComponent(email)}`);
}
