// Owns the rows of Slack threads of a world.
import type { World } from "./world.ts";

/** @param ts of the thread's first message */
export function threadRow(world: World, ts: string) {
  return {
    workspace_id: world.workspace,
    channel: "C1",
    thread_ts: ts,
    team_id: world.team,
    app_id: world.app,
    chat_id: world.chats["visitor through an app"],
  };
}

/** A thread whose app, agent or chat was deleted. */
export const formerThreadRow = (world: World, ts: string) => ({
  workspace_id: world.workspace,
  channel: "C1",
  thread_ts: ts,
  asked_team: world.team,
});
