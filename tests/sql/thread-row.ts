// Owns the row of a Slack thread of a world.
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
