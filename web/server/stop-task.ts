// Stops a task through the source or knowledge base that it works on.
import type { Task } from "../browser/task-state.ts";
import type { Api } from "./api.ts";

/** A knowledge base's indexing stops at its sources. */
export async function stopTask(
  { get, send }: Api,
  teamId: string,
  { sourceId, knowledgeId }: Pick<Task, "sourceId" | "knowledgeId">,
): Promise<void> {
  const ids = knowledgeId
    ? (await get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id: knowledgeId })).sourceIds.slice(0, 1)
    : [sourceId ?? ""];
  for (const id of ids) await send("DELETE", "/v1/teams/{teamId}/sources/{id}/index", { teamId, id });
}
