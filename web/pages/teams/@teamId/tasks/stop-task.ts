// Stops a task through the sources that it works on.
import { refusal } from "#edge-functions/_shared/requests/refusals.ts";
import type { Task } from "#web/client/task-state.ts";
import type { Api } from "#web/request/api.ts";
import { ApiFailure } from "#web/request/api-failure.ts";

const nothingToStop = {
  code: "CONFLICT",
  details: [{ path: "", ...refusal("notIndexing") }],
};

/**
 * Stops the tasks of the task's source. For a knowledge base's task: those of all its sources, which stops its own as well.
 * @param task null when it no longer exists
 * @throws ApiFailure when there is nothing to stop
 */
export async function stopTask(
  { get, send }: Api,
  teamId: string,
  task: Pick<Task, "sourceId" | "knowledgeId"> | null,
): Promise<void> {
  const { sourceId, knowledgeId } = task ?? {};
  const ids = knowledgeId
    ? (await get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id: knowledgeId })).sourceIds
    : [sourceId ?? []].flat();
  let stopped = 0;
  for (const id of ids) {
    try {
      await send("DELETE", "/v1/teams/{teamId}/sources/{id}/index", { teamId, id });
      stopped += 1;
    } catch (error) {
      if (!isIdle(error)) throw error;
    }
  }
  if (stopped === 0) throw new ApiFailure("", 409, "Conflict", nothingToStop);
}

/** True when the source has no task, or it has just ended. */
const isIdle = (error: unknown): boolean =>
  error instanceof ApiFailure && error.details.some(({ code }) => code === "notIndexing");
