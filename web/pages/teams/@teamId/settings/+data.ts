// Owns the data of a team's settings: the import that the team came from, and its task, for those who may change the team.
import type { AnswerOf } from "../../../../browser/api-calls.ts";
import { readTask, type Task } from "../../../../browser/task-state.ts";
import type { DataContext } from "../../../../renderer/page-definition.ts";
import { ApiFailure } from "../../../../server/api-failure.ts";
import { teamRef } from "../../../../server/current-team.ts";

export type TeamImport = AnswerOf<"GET", "/v1/teams/{id}/import">;
export interface SettingsData {
  imported: TeamImport | null;
  task: Task | null;
}

export async function data({ request }: DataContext): Promise<SettingsData> {
  const { get } = request.api;
  try {
    const imported = await get("/v1/teams/{id}/import", { id: teamRef(request) });
    // A report says that the task has ended.
    const taskId = imported.report ? null : imported.taskId;
    return { imported, task: taskId ? await readTask(get, imported.teamId, taskId) : null };
  } catch (error) {
    const isNothingToShow = error instanceof ApiFailure && ["NOT_FOUND", "FORBIDDEN"].includes(error.code);
    if (!isNothingToShow) throw error;
    return { imported: null, task: null };
  }
}
