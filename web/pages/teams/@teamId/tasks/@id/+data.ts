// One task, what it is about, and earlier ones about the same.
import { render } from "vike/abort";
import type { PageContextServer } from "vike/types";
import { readTask, type Task } from "../../../../../browser/task-state.ts";
import { currentTeam, may, teamPath } from "../../../../../server/current-team.ts";

export interface TaskData {
  task: Task;
  about: { name: string; href: string } | null;
  /** Newest first, without this one. */
  others: Task[];
  /** Whether the reader may stop it or ask for it again. */
  mayAct: boolean;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function data({ request, routeParams }: PageContextServer): Promise<TaskData> {
  const { id: teamId } = currentTeam(request);
  const id = routeParams.id ?? "";
  const { get } = request.api;
  const [task, recent] = await Promise.all([
    uuid.test(id) ? readTask(get, teamId, id) : null,
    get("/v1/teams/{teamId}/tasks", { teamId, perPage: 100 }),
  ]);
  if (!task) throw render(404);
  const isSame = (other: Task) =>
    other.id !== task.id && other.sourceId === task.sourceId && other.knowledgeId === task.knowledgeId;
  const permission = task.knowledgeId ? "knowledges.write" : "sources.write";
  return {
    task,
    about: await aboutOf(request, teamId, task),
    others: recent.data.filter(isSame).slice(0, 10),
    mayAct: may(request, permission),
  };
}

async function aboutOf(request: PageContextServer["request"], teamId: string, task: Task) {
  const { get } = request.api;
  if (task.knowledgeId && may(request, "knowledges.read")) {
    const { id, name } = await get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id: task.knowledgeId });
    return { name, href: teamPath(request, `knowledges/${id}`) };
  }
  if (!task.sourceId || !may(request, "sources.read")) return null;
  const sourceId = task.sourceId;
  if (task.documentId) {
    const path = "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}";
    const { id, title } = await get(path, { teamId, sourceId, id: task.documentId });
    return { name: title, href: teamPath(request, `source/${sourceId}/documents/${id}`) };
  }
  const { id, name } = await get("/v1/teams/{teamId}/sources/{id}", { teamId, id: sourceId });
  return { name, href: teamPath(request, `sources/${id}`) };
}
