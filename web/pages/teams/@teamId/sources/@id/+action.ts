// What can be done with a source: read it, stop that, try one document again, change it, give it to a knowledge, delete it.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import { formText } from "../../../../../server/form-text.ts";
import { asksForTest, credentialsIn, settingsIn } from "../../../../../server/source-form.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const { get, send } = request.api;
  const teamId = currentTeam(request).id;
  const one = { teamId, id: routeParams.id ?? "" };
  const back = (title: string) => ({
    redirect: request.url.pathname,
    toast: { title: t(`sources:toast.${title}`) },
  });
  switch (formText(form, "form")) {
    case "sync": {
      const { type } = await get("/v1/teams/{teamId}/sources/{id}", one);
      if (type === "file") await send("POST", "/v1/teams/{teamId}/sources/{id}/index", one);
      else await send("POST", "/v1/teams/{teamId}/sources/{id}/sync", one);
      return back("queued");
    }
    case "stop":
      await send("DELETE", "/v1/teams/{teamId}/sources/{id}/index", one);
      return back("stopping");
    case "document":
      await send("POST", "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}/index", {
        teamId,
        sourceId: one.id,
        id: formText(form, "document"),
      });
      return back("queued");
    case "knowledge": {
      const id = formText(form, "knowledge");
      const knowledge = await get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id });
      const sourceIds = [...new Set([...knowledge.sourceIds, one.id])];
      await send("PUT", "/v1/teams/{teamId}/knowledges/{id}", { teamId, id }, { sourceIds });
      return back("linked");
    }
    case "delete":
      await send("DELETE", "/v1/teams/{teamId}/sources/{id}", one);
      return { redirect: teamPath(request, "sources"), toast: { title: t("sources:delete.done") } };
    default: {
      const { type } = await get("/v1/teams/{teamId}/sources/{id}", one);
      const name = formText(form, "name");
      if (type === "file") await send("PUT", "/v1/teams/{teamId}/sources/{id}", one, { name });
      else {
        const settings = { config: settingsIn(type, form), ...credentialsIn(type, form) };
        const tried = { id: one.id, ...settings };
        const { data: lines } = await send("POST", "/v1/teams/{teamId}/sources/test", { teamId }, tried);
        if (asksForTest(form)) return { result: { lines } };
        const schedule = formText(form, "schedule");
        await send("PUT", "/v1/teams/{teamId}/sources/{id}", one, { name, schedule, ...settings });
      }
      return back("saved");
    }
  }
};
