// Invites people, one mail each. Addresses that could not be invited stay in the field, with the reason.
import type { TFunction } from "i18next";
import { refusalWords } from "#web/client/failure-words.ts";
import type { Action } from "#web/render/action.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import { currentTeam } from "#web/request/current-team.ts";
import { formAddresses, formText } from "#web/request/form-text.ts";

const MOST_AT_ONCE = 20;

/** Why one address is refused, which is shown next to it; undefined when the attempt cannot go on. */
function whyNot({ status, details }: ApiFailure, t: TFunction): string | undefined {
  if (status === 409) return t("users:invite.known");
  const ofEmail = details.find(({ path }) => path === "email");
  return ofEmail && refusalWords(ofEmail, t);
}

export const action: Action = async ({ request, form, t }) => {
  const typed = formAddresses(form);
  const emails = [...new Map(typed.map((email) => [email.toLowerCase(), email])).values()];
  const roleId = formText(form, "roleId");
  if (emails.length === 0) return { errors: { emails: t("users:emailMissing") } };
  if (emails.length > MOST_AT_ONCE) {
    return { errors: { emails: t("users:invite.tooMany", { count: MOST_AT_ONCE }) } };
  }
  const refused: { email: string; why: string }[] = [];
  for (const [at, email] of emails.entries()) {
    try {
      await request.api.send(
        "POST",
        "/v1/teamUsers/{id}/users",
        { id: currentTeam(request).id },
        { email, roleId },
      );
    } catch (error) {
      const why = error instanceof ApiFailure ? whyNot(error, t) : undefined;
      if (why === undefined) {
        // Those before it are invited, and another attempt should not invite them again.
        form.set("emails", [...refused.map((one) => one.email), ...emails.slice(at)].join("\n"));
        throw error;
      }
      refused.push({ email, why });
    }
  }
  if (refused.length > 0) {
    form.set("emails", refused.map(({ email }) => email).join("\n"));
    return {
      errors: {
        emails: refused.map(({ email, why }) => t("app:labelled", { label: email, value: why })).join(" "),
      },
    };
  }
  return {
    redirect: request.url.pathname + request.url.search,
    toast: { title: t("users:invited", { count: emails.length }) },
  };
};
