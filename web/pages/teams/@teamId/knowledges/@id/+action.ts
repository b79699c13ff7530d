// Renames, configures, re-indexes or deletes a knowledge base, or changes its sources, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { findChosen } from "#web/request/find-chosen.ts";
import { formNumber, formOptionalNumber, formText, formVersion } from "#web/request/form-text.ts";
import { remove } from "#web/request/remove.ts";
import { changeSources, withoutSource, withSource } from "../change-sources.ts";

export const action: Action = async (context) => {
  const { request, form, routeParams, t } = context;
  const knowledge = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  if (formText(form, "form") === "delete") {
    const toast = await remove(
      context,
      { path: "/v1/teams/{teamId}/knowledges/{id}", input: knowledge },
      {
        title: t("knowledges:delete.done"),
        restored: t("knowledges:delete.restored"),
        href: request.url.pathname,
      },
    );
    return { redirect: teamPath(request, "knowledges"), toast };
  }
  if (formText(form, "form") === "index") {
    await request.api.send("POST", "/v1/teams/{teamId}/knowledges/{id}/index", knowledge);
    return { redirect: request.url.pathname, toast: { title: t("knowledges:reindex.done") } };
  }
  if (formText(form, "form") === "addSource") {
    const id = formText(form, "source");
    const read = request.api.get("/v1/teams/{teamId}/sources/{id}", { teamId: knowledge.teamId, id });
    if (!(await findChosen(read))) return { errors: { source: t("errors:refusals.missing") } };
    await changeSources(request.api, knowledge, withSource(id));
    return { redirect: request.url.pathname, toast: { title: t("knowledges:sources.added") } };
  }
  if (formText(form, "form") === "removeSource") {
    await changeSources(request.api, knowledge, withoutSource(formText(form, "source")));
    return { redirect: request.url.pathname, toast: { title: t("knowledges:sources.removed") } };
  }
  if (formText(form, "form") === "rename") {
    const name = formText(form, "name");
    if (!name) return { errors: { name: t("app:rename.missing") } };
    await request.api.send(
      "PUT",
      "/v1/teams/{teamId}/knowledges/{id}",
      knowledge,
      { name },
      formVersion(form),
    );
    return { redirect: request.url.pathname, toast: { title: t("app:rename.done") } };
  }
  await request.api.send(
    "PUT",
    "/v1/teams/{teamId}/knowledges/{id}",
    knowledge,
    {
      description: formText(form, "description"),
      language: formText(form, "language"),
      warnAfterDays: formOptionalNumber(form, "warnAfterDays"),
      chunking: {
        maxTokens: formNumber(form, "chunking.maxTokens"),
        overlapTokens: formNumber(form, "chunking.overlapTokens"),
      },
    },
    formVersion(form),
  );
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
