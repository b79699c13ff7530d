// Changes to one's own account: the profile, the email address, the password, the sessions, the deletion.
import type { Action, ActionContext, ActionResult } from "../../render/action.ts";
import { isLocale } from "../../render/locale.ts";
import { COOKIE_DAYS, LOCALE_COOKIE } from "../../request/cookies.ts";
import { formSecret, formText } from "../../request/form-text.ts";
import { i18nFor } from "../../request/i18n.ts";

async function changePassword({ request, form, t }: ActionContext): Promise<ActionResult> {
  const { api } = request;
  const currentPassword = formSecret(form, "currentPassword");
  const password = formSecret(form, "password");
  if (!currentPassword) return { errors: { currentPassword: t("account:currentPasswordMissing") } };
  if (password.length < 8 || new TextEncoder().encode(password).length > 72)
    return { errors: { password: t("auth:errors.password") } };
  await api.send("PUT", "/v1/auth/password", {}, { currentPassword, password });
  return {
    redirect: "/account",
    toast: { title: t("account:passwordChanged"), description: t("account:passwordChangedText") },
  };
}

async function changeEmail({ request, form, t }: ActionContext): Promise<ActionResult> {
  const email = formText(form, "email");
  const currentPassword = formSecret(form, "currentPassword");
  if (!email) return { errors: { email: t("errors:refusals.email") } };
  if (!currentPassword) return { errors: { currentPassword: t("account:currentPasswordMissing") } };
  await request.api.send("PUT", "/v1/auth/email", {}, { email, currentPassword });
  return { redirect: "/account", toast: confirmationToast(t) };
}

const confirmationToast = (t: ActionContext["t"]) => ({
  title: t("account:emailAsked"),
  description: t("account:emailAskedText"),
});

async function saveProfile({ request, form, t }: ActionContext): Promise<ActionResult> {
  const { user, api, cookies } = request;
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("auth:errors.name") } };
  const locale = formText(form, "locale");
  if (!isLocale(locale)) return { errors: { locale: t("account:localeUnknown") } };
  await api.send("PUT", "/v1/users/{id}", { id: user?.id ?? "" }, { name, locale });
  cookies.set(LOCALE_COOKIE, locale, COOKIE_DAYS.locale);
  return { redirect: "/account", toast: { title: i18nFor(locale).t("app:toast.saved") } };
}

export const action: Action = async (context) => {
  const { request, form, t } = context;
  const { user, api } = request;
  switch (formText(form, "form")) {
    case "password":
      return await changePassword(context);
    case "email":
      return await changeEmail(context);
    case "emailResend":
      await api.send("POST", "/v1/auth/email/resend", {}, {});
      return { redirect: "/account", toast: confirmationToast(t) };
    case "emailCancel":
      await api.send("DELETE", "/v1/auth/email/pending", {});
      return { redirect: "/account", toast: { title: t("account:emailCancelled") } };
    // Mails a link to a user who does not know the current password.
    case "forgotten":
      await api.send("POST", "/v1/auth/forgotPassword", {}, { email: user?.email ?? "" });
      return { redirect: "/account", toast: { title: t("account:passwordSent"), description: user?.email } };
    case "session":
      await api.send("DELETE", "/v1/auth/sessions/{id}", { id: formText(form, "id") });
      return { redirect: "/account", toast: { title: t("account:sessionEnded") } };
    case "everywhere":
      await api.send("DELETE", "/v1/auth/sessions", {});
      api.setSession(null);
      return { redirect: "/login", toast: { title: t("account:everywhereDone") } };
    case "delete":
      await api.send("DELETE", "/v1/users/{id}", { id: user?.id ?? "" });
      api.setSession(null);
      return { redirect: "/", toast: { title: t("account:deleted") } };
    default:
      return await saveProfile(context);
  }
};
