// Invites people, one mail each. Addresses that could not be invited stay in the field, with the reason.
import { refusalWords } from "#web/browser/failure-words.ts";
import type { Action } from "#web/renderer/action.ts";
import { ApiFailure } from "#web/server/api-failure.ts";
import { currentTeam } from "#web/server/current-team.ts";
import { describeFailure } from "#web/server/describe-failure.ts";
import { formLines, formText } from "#web/server/form-text.ts";

const MOST_AT_ONCE = 20;

export const action: Action = async ({ request, form, t }) => {
  const emails = formLines(form, "emails").flatMap((line) => line.split(/[\s,;]+/).filter(Boolean));
  const roleId = formText(form, "roleId");
  if (emails.length === 0) return { errors: { emails: t("users:emailMissing") } };
  if (emails.length > MOST_AT_ONCE) {
    return { errors: { emails: t("users:invite.tooMany", { count: MOST_AT_ONCE }) } };
  }
  const refused: { email: string; why: string }[] = [];
  for (const email of emails) {
    try {
      await request.api.send(
        "POST",
        "/v1/teamUsers/{id}/users",
        { id: currentTeam(request).id },
        { email, roleId },
      );
    } catch (error) {
      // An error about one address is shown next to it; any other ends the attempt.
      if (!(error instanceof ApiFailure) || ![400, 409].includes(error.status)) throw error;
      const [detail] = error.details;
      const why =
        error.status === 409
          ? t("users:invite.known")
          : detail
            ? refusalWords(detail, t)
            : describeFailure(error, t, request).title;
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
