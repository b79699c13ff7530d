// The team's tasks, newest first, filtered by type and state.
import type { PageContextServer } from "vike/types";
import type { CursorList } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface TaskRow {
  id: string;
  type: string;
  status: string;
  progress: { done: number; total: number };
  message: string;
  sourceId?: string;
  knowledgeId?: string;
  error: string | null;
  createdAt: string;
}

export type TasksData = CursorList<TaskRow>;

export async function data({ request }: PageContextServer): Promise<TasksData> {
  const { searchParams } = request.url;
  const read = (name: string) => searchParams.get(name) ?? undefined;
  return await request.api.get<TasksData>(`/v1/teams/${currentTeam(request).id}/tasks`, {
    type: read("type"),
    status: read("status"),
    date: read("date"),
    taskId: read("taskId"),
    lastKey: read("lastKey"),
  });
}
