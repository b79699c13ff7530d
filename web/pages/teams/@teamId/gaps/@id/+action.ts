// Answers or dismisses a gap, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";
import { expiryIn } from "../../sources/expiry-form.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const { send } = request.api;
  const place = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  const here = teamPath(request, `gaps/${place.id}`);
  switch (formText(form, "form")) {
    case "dismiss":
      await send("PUT", "/v1/teams/{teamId}/gaps/{id}", place, { state: "dismissed" });
      return { redirect: teamPath(request, "gaps"), toast: { title: t("gaps:dismissed") } };
    case "open":
      await send("PUT", "/v1/teams/{teamId}/gaps/{id}", place, { state: "open" });
      return { redirect: here, toast: { title: t("gaps:opened") } };
    default:
      await send("POST", "/v1/teams/{teamId}/gaps/{id}/answer", place, {
        question: formText(form, "question"),
        answer: formText(form, "answer"),
        knowledgeId: formText(form, "knowledgeId") || undefined,
        addTest: form.has("addTest"),
        ...expiryIn(form),
      });
      return { redirect: here, toast: { title: t("gaps:written") } };
  }
};
