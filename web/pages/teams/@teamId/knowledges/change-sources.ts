// Changes which sources a knowledge base reads from. Its list is written as a whole, so a change is based on the version that was read.
import type { Api } from "#web/request/api.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import type { Knowledge } from "#web/request/api-types.ts";

const path = "/v1/teams/{teamId}/knowledges/{id}";
const mostTries = 5;

/**
 * Reads the knowledge base again when somebody changes it meanwhile.
 * @param change the new list of sources, given the present one
 * @throws ApiFailure
 */
export async function changeSources(
  { get, send }: Pick<Api, "get" | "send">,
  one: { teamId: string; id: string },
  change: (sourceIds: Knowledge["sourceIds"]) => Knowledge["sourceIds"],
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { sourceIds, version } = await get(path, one);
    try {
      await send("PUT", path, one, { sourceIds: change(sourceIds) }, version);
      return;
    } catch (error) {
      const isChanged = error instanceof ApiFailure && error.code === "CHANGED_MEANWHILE";
      if (!isChanged || tries === mostTries) throw error;
    }
  }
}

export const withSource = (id: string) => (sourceIds: string[]) => [...new Set([...sourceIds, id])];
export const withoutSource = (id: string) => (sourceIds: string[]) => sourceIds.filter((one) => one !== id);
