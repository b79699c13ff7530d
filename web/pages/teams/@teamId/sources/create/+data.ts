// What the chosen type is set up with: for chats, the agents to choose from; for files, the files.
import type { DataContext } from "../../../../../renderer/page-definition.ts";
import { teamRef } from "../../../../../server/current-team.ts";

export const connectable = ["file", "jira", "shopify", "hubspot", "agentChat"] as const;
export type Connectable = (typeof connectable)[number];

export interface NewSourceData {
  /** Null while none has been chosen. */
  type: Connectable | null;
  agents: { id: string; name: string }[];
  /** The newest first, as many as one page of the API holds, of how many. */
  files: { id: string; name: string; size: number }[];
  filesTotal: number;
}

export async function data({ request }: DataContext): Promise<NewSourceData> {
  const wanted = request.url.searchParams.get("type");
  const type = connectable.find((one) => one === wanted) ?? null;
  const page = { teamId: teamRef(request), perPage: 100 };
  const [agents, files] = await Promise.all([
    type === "agentChat" ? request.api.get("/v1/teams/{teamId}/agents", page) : null,
    type === "file" ? request.api.get("/v1/teams/{teamId}/files", { ...page, type: "document" }) : null,
  ]);
  return {
    type,
    agents: (agents?.data ?? []).map(({ id, name }) => ({ id, name })),
    files: (files?.data ?? []).map(({ id, name, size }) => ({ id, name, size })),
    filesTotal: files?.total ?? 0,
  };
}
