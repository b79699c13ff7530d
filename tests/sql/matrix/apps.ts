// The matrix of apps and their Slack connections.
import { holding } from "../../support/actors.ts";
import { stateRow } from "../app-rows.ts";
import { prefix } from "../prefix.ts";
import { formerThreadRow, threadRow } from "../thread-row.ts";
import { nobody, type Subject } from "./cells.ts";

export const apps: Subject[] = [
  {
    table: "public.apps",
    row: "an app that is connected",
    key: (w) => ({ id: w.app }),
    select: holding("apps.read"),
    insert: {
      row: (w) => ({ team_id: w.team, name: "New", type: "slack", agent_id: w.agent }),
      by: holding("apps.write"),
    },
    update: { to: () => ({ audience: "everyone" }), by: holding("apps.write", "apps.read") },
    delete: holding("apps.write", "apps.read"),
  },
  {
    table: "public.apps",
    row: "an app of no workspace, which nobody gives one by hand",
    key: (w) => ({ id: w.pendingApp }),
    select: holding("apps.read"),
    insert: {
      row: (w) => ({
        team_id: w.team,
        name: "New",
        agent_id: w.agent,
        status: "connected",
        workspace_id: w.workspace,
        connected_at: "2026-01-01T00:00:00Z",
      }),
      by: nobody,
    },
    update: { to: (w) => ({ workspace_id: w.workspace }), by: nobody },
    delete: holding("apps.write", "apps.read"),
  },
  {
    table: "private.slack_installations",
    row: "a workspace's tokens",
    key: (w) => ({ workspace_id: w.workspace }),
    select: nobody,
    insert: { row: () => ({ workspace_id: prefix(), bot_user_id: "U1", tokens: "\\x00" }), by: nobody },
    update: { to: () => ({ tokens: "\\x01" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.slack_states",
    row: "an install that has begun",
    key: (w) => ({ app_id: w.app }),
    select: nobody,
    insert: { row: stateRow, by: nobody },
    update: { to: () => ({ claims: { admin: true } }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.slack_threads",
    row: "a thread that is a chat",
    key: (w) => ({ workspace_id: w.workspace }),
    select: nobody,
    insert: { row: (w) => threadRow(w, prefix()), by: nobody },
    update: { to: () => ({ channel: "C2" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.former_slack_threads",
    row: "a thread of a deleted chat",
    key: (w) => ({ workspace_id: w.workspace }),
    select: nobody,
    insert: { row: (w) => formerThreadRow(w, prefix()), by: nobody },
    update: { to: () => ({ channel: "C2" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.slack_events",
    row: "an event in the queue",
    key: (w) => ({ workspace_id: w.workspace }),
    select: nobody,
    insert: {
      row: (w) => ({ workspace_id: w.workspace, event_id: prefix(), kind: "left" }),
      by: nobody,
    },
    update: { to: () => ({ attempts: 99 }), by: nobody },
    delete: nobody,
  },
];
