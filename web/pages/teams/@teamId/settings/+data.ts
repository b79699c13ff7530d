// Owns the data of a team's settings: its current names, the import that created it, and the import's task, for those
// who may change the team.
import type { AnswerOf, Get } from "#web/client/api-calls.ts";
import { isOpen, readTask, type Task } from "#web/client/task-state.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import { teamRef } from "#web/request/current-team.ts";
import type { Storage } from "../files/StorageUse.tsx";

export type TeamImport = AnswerOf<"GET", "/v1/teams/{id}/import">;
export interface SettingsData {
  /** Null for those who may not read files. */
  storage: Storage | null;
  /** Not the viewer's team, which was loaded before a form was handled. */
  named: { name: string; codename: string; version: string };
  imported: TeamImport | null;
  task: Task | null;
}

export async function data({ request }: DataContext): Promise<SettingsData> {
  const { get } = request.api;
  const { timeZone } = request;
  const id = teamRef(request);
  const [storage, named, imported] = await Promise.all([
    storageOf(get, id),
    get("/v1/teams/{id}", { id }),
    importedInto(get, id, timeZone),
  ]);
  return { storage, named, ...imported };
}

async function storageOf(get: Get, teamId: string): Promise<Storage | null> {
  try {
    return await get("/v1/teams/{teamId}/storage", { teamId });
  } catch (error) {
    if (error instanceof ApiFailure && error.code === "FORBIDDEN") return null;
    throw error;
  }
}

async function importedInto(
  get: Get,
  id: string,
  timeZone: string,
): Promise<Pick<SettingsData, "imported" | "task">> {
  try {
    const imported = await get("/v1/teams/{id}/import", { id });
    // A report means that the task has ended.
    if (imported.report || !imported.taskId) return { imported, task: null };
    const task = await readTask(get, imported.teamId, imported.taskId, timeZone);
    if (task && isOpen(task)) return { imported, task };
    // The task ended between the two calls: it has written its report, or has failed.
    return { imported: await get("/v1/teams/{id}/import", { id }), task };
  } catch (error) {
    const isNothingToShow = error instanceof ApiFailure && ["NOT_FOUND", "FORBIDDEN"].includes(error.code);
    if (!isNothingToShow) throw error;
    return { imported: null, task: null };
  }
}
