// The team's tasks, newest first, with the filters of the address; without filters, running ones are followed live.

import type { AnswerOf } from "#web/client/api-calls.ts";
import { isOpen, type Task } from "#web/client/task-state.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { choiceNames } from "#web/request/choices.ts";
import { teamRef } from "#web/request/current-team.ts";
import type { DataRequest } from "#web/request/request-scope.ts";

export interface TasksData extends AnswerOf<"GET", "/v1/teams/{teamId}/tasks"> {
  /** Running tasks that are followed live. */
  atWork: Task[];
  isFiltered: boolean;
  /** Names of what the tasks work on, by id, as far as the reader may see them. */
  names: Record<string, string>;
}

/** The query parameters that filter the list. */
export const taskFilters = ["type", "status", "dateStart", "dateEnd", "taskId"];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const followed = 3;

export async function data({ request }: DataContext): Promise<TasksData> {
  const { searchParams } = request.url;
  const isFiltered = taskFilters.some((name) => searchParams.get(name));
  // The address may be mistyped: an invalid value is ignored, except that a malformed id matches nothing.
  const read = (name: string, form: RegExp) => {
    const value = searchParams.get(name)?.trim() ?? "";
    return form.test(value) ? value : undefined;
  };
  const taskId = searchParams.get("taskId")?.trim();
  if (taskId && !uuid.test(taskId)) return { data: [], lastKey: null, atWork: [], isFiltered, names: {} };
  const lastKey = searchParams.get("lastKey") ?? undefined;
  const page = await request.api.get("/v1/teams/{teamId}/tasks", {
    teamId: teamRef(request),
    type: read("type", /^(index|loadDocuments|sync|import)$/),
    status: read("status", /^(queued|running|waiting|stopping|stopped|succeeded|failed)$/),
    dateStart: read("dateStart", day),
    dateEnd: read("dateEnd", day),
    taskId: taskId || undefined,
    timeZone: request.timeZone,
    lastKey,
  });
  const open = isFiltered || lastKey ? [] : page.data.filter(isOpen);
  return { ...page, atWork: open.slice(0, followed), isFiltered, names: await namesOf(request, page.data) };
}

/** The names of the few sources and knowledge bases that a page of tasks is about. */
async function namesOf(request: DataRequest, tasks: Task[]) {
  const idsOf = (key: "sourceId" | "knowledgeId") => tasks.flatMap((task) => task[key] ?? []);
  const lists = await Promise.all([
    choiceNames("sources", request, idsOf("sourceId")),
    choiceNames("knowledges", request, idsOf("knowledgeId")),
  ]);
  return Object.fromEntries(lists.flat());
}
