// Owns the schemas of apps: channels outside Parley in which people ask a team's agents.

import { z } from "@hono/zod-openapi";
import { refuseAs } from "../../_shared/requests/invalid-fields.ts";
import { id, line, namePart, pageQuery, time, times } from "../router.ts";
import { rowVersion } from "../row-versions.ts";
import { sortQuery } from "../sorting.ts";

const name = line(200).openapi({ example: "Handbook in Slack" });
const appType = z.enum(["slack"]);
const agentId = id.openapi({ description: "The agent that answers there." });
const channels = z.array(
  z.string().refine((text) => /^[CGD][A-Z0-9]{2,30}$/.test(text), refuseAs("slackChannel")),
);

const settings = {
  name,
  agentId,
  channels: channels.max(100).openapi({
    description: "Slack's ids of the channels in which it answers. Empty: wherever it is invited.",
    example: ["C0123ABCD"],
  }),
  audience: z.enum(["members", "guests", "everyone"]).openapi({
    description:
      "Who may ask: full members of the workspace, also its guests, or also people of other workspaces in shared channels.",
  }),
};

export const app = z
  .object({
    id,
    teamId: id,
    type: appType,
    ...settings,
    status: z.enum(["pending", "connected", "disconnected"]).openapi({
      description: "pending: not installed yet. disconnected: removed from the workspace.",
    }),
    workspace: z.object({ id: z.string(), name: z.string() }).nullable(),
    connectedAt: time.nullable(),
    version: rowVersion,
    ...times,
  })
  .openapi("App");
export type App = z.infer<typeof app>;

const changes = z.strictObject({ ...settings, agentId: z.uuid() }).partial();
export const appUpdate = changes.openapi("AppUpdate");
export type AppUpdate = z.infer<typeof appUpdate>;

export const newApp = changes.extend({ name, type: appType, agentId: z.uuid() }).openapi("NewApp");
export type NewApp = z.infer<typeof newApp>;

export const appsQuery = pageQuery.extend({
  name: namePart,
  type: appType.optional(),
  sort: sortQuery(["createdAt", "name", "status"]),
});
export type AppsQuery = z.infer<typeof appsQuery>;

export const connectInput = z
  .strictObject({
    appId: z.uuid().optional().openapi({
      description: "One of the agent's apps, to reconnect it. Absent: the agent's pending app, or a new one.",
    }),
    challenge: z
      .string()
      .regex(/^[\w-]{43}$/, "The SHA-256 of a secret, in base64url.")
      .optional()
      .openapi({
        description:
          "SHA-256, in base64url, of a secret that the starting browser keeps. The install can then be completed only in that browser and session.",
      }),
  })
  .openapi("ConnectSlack", { example: {} });

const secret = z
  .string()
  .regex(/^[\w-]{43}$/)
  .openapi({ example: "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG" });
export const installProof = z
  .strictObject({
    ticket: secret.openapi({ description: "From the URL that the browser was redirected to." }),
    verifier: secret.optional().openapi({ description: "The secret whose SHA-256 was the challenge." }),
  })
  .openapi("SlackInstallProof");

const named = z.object({ id: z.string(), name: z.string() });
export const waitingInstall = z
  .object({
    appId: id,
    team: named.extend({ id, codename: z.string() }),
    agent: named.extend({ id }),
    workspace: named,
  })
  .openapi("WaitingSlackInstall");

export const connection = z
  .object({
    installUrl: z.url().openapi({
      description:
        "Open it in a browser. Valid once, for ten minutes. The person who started confirms afterwards, logged in; if an API key started, anyone who may connect the team's apps.",
    }),
    appId: id,
  })
  .openapi("SlackConnection");
