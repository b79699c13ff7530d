// Adds, changes, imports, deletes and runs an agent's tests, by the hidden field `form`.
import type { Action, ActionContext } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formLines, formText } from "#web/request/form-text.ts";
import { remove } from "#web/request/remove.ts";

const path = "/v1/teams/{teamId}/agents/{id}/tests";

export const action: Action = async (context) => {
  const { request, form, routeParams, t } = context;
  const place = { teamId: currentTeam(request).id, id: routeParams.agentId ?? "" };
  const home = teamPath(request, `agents/${place.id}/tests`);
  const name = formText(form, "form");
  const testId = formText(form, "testId");
  if (name === "run") {
    const { runId } = await request.api.send("POST", `${path}/runs`, place, {});
    return { redirect: `${home}/${runId}`, toast: { title: t("agentTests:run.begun") } };
  }
  if (name === "reply") {
    await request.api.send("POST", path, place, { messageId: formText(form, "messageId") });
    return { redirect: home, toast: { title: t("agentTests:form.addedFromReply") } };
  }
  if (name === "import") return await importFile(context, place);
  if (name === "delete") {
    const toast = await remove(
      context,
      { path: `${path}/{testId}`, input: { ...place, testId } },
      { title: t("agentTests:form.deleted"), restored: t("agentTests:form.restored"), href: home },
    );
    return { redirect: home, toast };
  }
  const title = formText(form, "expectedTitle");
  const values = {
    question: formText(form, "question"),
    facts: formLines(form, "facts"),
    mustRefuse: form.has("mustRefuse"),
    ...documentOf(title, formText(form, "titleBefore")),
  };
  if (testId) await request.api.send("PUT", `${path}/{testId}`, { ...place, testId }, values);
  else await request.api.send("POST", path, place, values);
  return { redirect: home, toast: { title: testId ? t("app:toast.saved") : t("agentTests:form.added") } };
};

/** Sends only a changed document, so an unchanged one stays even when it is deleted. */
function documentOf(title: string, before: string) {
  if (title === before) return {};
  return title === "" ? { expectedDocumentId: null } : { expectedTitle: title };
}

async function importFile({ request, form, t }: ActionContext, place: { teamId: string; id: string }) {
  const file = form.get("file");
  const csv = (file instanceof File && file.size > 0 ? await file.text() : "") || formText(form, "csv");
  if (!csv) return { errors: { csv: t("agentTests:import.nothing") } };
  return { result: await request.api.send("POST", `${path}/import`, place, { csv }) };
}
