// A team's tasks as pages and islands load them: the open ones, and one by id.
import type { AnswerOf, Get } from "./api-calls.ts";

export type Task = AnswerOf<"GET", "/v1/teams/{teamId}/tasks">["data"][number];

const openStatus = new Set(["queued", "running", "waiting", "stopping"]);

export const isOpen = (task: Pick<Task, "status">): boolean => openStatus.has(task.status);

/** The query key that pages seed. */
export const taskKey = (taskId: string) => ["task", taskId];

/** `timeZone` is the reader's, for the times in the task's message. */
export async function readTask(
  get: Get,
  teamId: string,
  taskId: string,
  timeZone?: string,
): Promise<Task | null> {
  const { data } = await get("/v1/teams/{teamId}/tasks", { teamId, taskId, timeZone });
  return data[0] ?? null;
}
