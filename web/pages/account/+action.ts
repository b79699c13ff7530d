// Saves the profile, or sends the mail that leads to a new password.
import type { Action } from "../../renderer/action.ts";
import { isLocale } from "../../renderer/locale.ts";
import { COOKIE_DAYS, LOCALE_COOKIE } from "../../server/cookies.ts";
import { formText } from "../../server/form-text.ts";
import { i18nFor } from "../../server/i18n.ts";

export const action: Action = async ({ request, form, t }) => {
  const { user, api, cookies } = request;
  if (formText(form, "form") === "password") {
    await api.send("POST", "/v1/auth/forgotPassword", {}, { email: user?.email ?? "" });
    return { redirect: "/account", toast: { title: t("account:passwordSent"), description: user?.email } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("auth:errors.name") } };
  const locale = formText(form, "locale");
  if (!isLocale(locale)) return { errors: { locale: t("account:localeUnknown") } };
  await api.send("PUT", "/v1/users/{id}", { id: user?.id ?? "" }, { name, locale });
  cookies.set(LOCALE_COOKIE, locale, COOKIE_DAYS.locale);
  return { redirect: "/account", toast: { title: i18nFor(locale).t("app:toast.saved") } };
};
