// Stops a task, repeats it, or retries one of its documents.
import { readTask, type Task } from "#web/client/task-state.ts";
import type { Action } from "#web/render/action.ts";
import type { Api } from "#web/request/api.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";
import { stopTask } from "../stop-task.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const { id: teamId } = currentTeam(request);
  const task = await readTask(request.api.get, teamId, routeParams.id ?? "");
  if (!task) return { redirect: teamPath(request, "tasks") };
  if (formText(form, "form") === "stop") {
    await stopTask(request.api, teamId, task);
    return { redirect: request.url.pathname, toast: { title: t("tasks:stopping") } };
  }
  if (formText(form, "form") === "document") {
    await request.api.send("POST", "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}/index", {
      teamId,
      sourceId: formText(form, "source"),
      id: formText(form, "document"),
    });
    return { redirect: request.url.pathname, toast: { title: t("tasks:failedDocuments.queued") } };
  }
  const taskId = await again(request.api, teamId, task);
  return { redirect: teamPath(request, `tasks/${taskId}`), toast: { title: t("tasks:queuedAgain") } };
};

async function again({ send }: Api, teamId: string, task: Task): Promise<string> {
  const { knowledgeId, sourceId = "", documentId, type } = task;
  if (knowledgeId) {
    const one = { teamId, id: knowledgeId };
    return (await send("POST", "/v1/teams/{teamId}/knowledges/{id}/index", one)).taskId;
  }
  if (documentId) {
    const one = { teamId, sourceId, id: documentId };
    return (await send("POST", "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}/index", one)).taskId;
  }
  const one = { teamId, id: sourceId };
  if (type === "loadDocuments")
    return (await send("POST", "/v1/teams/{teamId}/sources/{id}/loadDocuments", one)).taskId;
  if (type === "sync") return (await send("POST", "/v1/teams/{teamId}/sources/{id}/sync", one)).taskId;
  return (await send("POST", "/v1/teams/{teamId}/sources/{id}/index", one)).taskId;
}
