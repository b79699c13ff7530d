// Owns the rows of a world's apps, and of one app's workspace.
import { prefix } from "./prefix.ts";
import type { Put } from "./putter.ts";
import type { World } from "./world.ts";

export async function makeApps(put: Put, world: World) {
  const app = { team_id: world.team, name: "App", agent_id: world.agent };
  await put("public.apps", { ...app, id: world.pendingApp });
  await put("public.apps", {
    ...app,
    id: world.app,
    status: "connected",
    workspace_id: world.workspace,
    workspace_name: "Workspace",
    connected_at: "2026-01-01T00:00:00Z",
  });
  const workspace = { workspace_id: world.workspace };
  await put("private.slack_installations", { ...workspace, bot_user_id: "U1", tokens: "\\x00" });
  await put("private.slack_states", stateRow(world));
  await put("private.slack_events", { ...workspace, event_id: `Ev${world.mark}`, kind: "left" });
}

export function stateRow(world: World) {
  const hash = `\\x${prefix().repeat(8)}`;
  return { state_hash: hash, app_id: world.app, claims: {}, expires_at: "2100-01-01T00:00:00Z" };
}
