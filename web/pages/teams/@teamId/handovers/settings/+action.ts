// Sets the notifications of handovers, by the hidden field `form`. The island creates a secret, since it is shown once
// and must not pass through a redirect.
import type { Action } from "#web/render/action.ts";
import { currentTeam } from "#web/request/current-team.ts";
import { formAddresses, formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const { id: teamId } = currentTeam(request);
  const changes =
    formText(form, "form") === "webhook"
      ? { webhookUrl: formText(form, "webhookUrl") || null }
      : { isOffered: form.has("isOffered"), emails: splitEmails(form) };
  await request.api.send("PUT", "/v1/teams/{teamId}/handovers/settings", { teamId }, changes);
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};

/** Writes one address per line, in which a refused one is found and quoted. Without a script they are written as in a mail. */
function splitEmails(form: FormData): string[] {
  const emails = formAddresses(form);
  form.set("emails", emails.join("\n"));
  return emails;
}
